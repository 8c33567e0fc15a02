#pragma once
/// \file
/// A kernel of landmarks P (Williams and Seeger, Using the Nystroem method to speed up kernel
/// machines, NIPS 2001):
///
///   k~(x, z) = k(x, P) A^-1 k(P, z) = phi(x)'phi(z),   phi(x) = L^-1 k(P, x),
///   A = K[P, P] + jitter I = L L'.
///
/// K - K~ is positive semidefinite, and every function sum_p w_p k(x_p, .) lies in the space of k,
/// with a norm there of at most w'A w.

#include <memory>
#include <mutex>
#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

class LandmarkSource final : public KernelSource {
 public:
  /// \param exact      k of all samples, positive semidefinite
  /// \param landmarks  ascending
  /// \throws DataError for an entry that is not finite
  LandmarkSource(KernelSourcePtr exact, std::vector<Index> landmarks);

  /// The same kernel on some samples; the landmarks stay.
  [[nodiscard]] std::shared_ptr<const LandmarkSource> on_samples(std::vector<Index> samples) const;

  [[nodiscard]] const std::vector<Index>& landmarks() const { return core_->landmarks; }
  [[nodiscard]] Index columns() const { return length(core_->landmarks); }
  [[nodiscard]] double jitter() const { return core_->jitter; }
  [[nodiscard]] const RowMatrix& A() const { return core_->A; }
  /// A^-1 times the columns of B, in place.
  void solve(Eigen::MatrixXd& B) const;
  /// k(x_r, x_p), |rows| x columns().
  void cross(std::span<const Index> rows, MutableSpan out) const;
  /// phi(x_r), |rows| x columns().
  void factor(std::span<const Index> rows, MutableSpan out) const;
  /// sqrt(k(x, x)) of all samples.
  [[nodiscard]] Vector exact_roots() const;
  [[nodiscard]] const KernelSourcePtr& exact() const { return core_->exact; }

  Index rows() const override;
  Index cols() const override { return rows(); }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override;
  void left_diagonal(MutableSpan out) const override;
  void right_diagonal(MutableSpan out) const override { left_diagonal(out); }
  Index rank_bound() const override { return columns(); }
  bool always_psd() const override { return true; }
  const LandmarkSource* by_landmarks() const override { return this; }
  std::size_t bytes() const override {
    return static_cast<std::size_t>(2 * columns() * columns()) * sizeof(double);
  }

 private:
  struct Core {
    KernelSourcePtr exact;
    std::vector<Index> landmarks;
    double jitter;
    RowMatrix A;
    RowMatrix L;
  };
  LandmarkSource(std::shared_ptr<const Core> core, std::vector<Index> samples)
      : core_(std::move(core)), samples_(std::move(samples)) {}

  /// The numbers of the samples in the exact kernel.
  [[nodiscard]] std::vector<Index> places(std::span<const Index> index) const;

  std::shared_ptr<const Core> core_;
  std::vector<Index> samples_;  ///< empty: all
  mutable std::once_flag measured_;
  mutable Vector diagonal_;
};

/// Each kernel on these landmarks. \param names  of the kernels, for messages
[[nodiscard]] std::vector<KernelSourcePtr> landmark_sources(
    const std::vector<KernelSourcePtr>& exact, const std::vector<Index>& landmarks,
    const std::vector<std::string>& names, const Context& context);

}  // namespace kernmix
