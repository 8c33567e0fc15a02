#pragma once
/// \file
/// K(d) = sum_m d_m K_m, formed once for all tasks, and what a task sees of it.

#include <mutex>

#include "base/linear_algebra.hpp"
#include "kernmix/bank/bank.hpp"
#include "kernmix/bank/triangle_cache.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// One combination of the kernels of a bank, in the forms that are asked for.
class CombinedKernel {
 public:
  /// \param bank  must outlive it
  explicit CombinedKernel(const KernelBank& bank) : bank_(bank), triangles_(bank) {}

  [[nodiscard]] const KernelBank& bank() const { return bank_; }
  /// n x n in single precision, from triangles where kernels come again.
  [[nodiscard]] std::span<const float> single(ConstSpan d, const Context& context);
  /// n x n in double precision.
  [[nodiscard]] const Matrix& dense(ConstSpan d, const Context& context);
  /// Z with K(d) = Z Z'.
  [[nodiscard]] const Matrix& factor(ConstSpan d, const Context& context);
  /// A K(d) for the rows of A, T x n: by its factor where there is one, else by dense(d).
  [[nodiscard]] Matrix product(ConstSpan d, const Matrix& A, const Context& context);
  /// Whether dense(d) is there.
  [[nodiscard]] bool has_dense(ConstSpan d);

 private:
  void remember(ConstSpan d);

  const KernelBank& bank_;
  std::mutex forming_;  ///< tasks are solved at once
  Vector d_;            ///< that the following belong to
  std::vector<float> single_;
  bool has_single_ = false;
  Matrix dense_;
  Matrix factor_;
  TriangleCache triangles_;
};

/// The bank on the rows of one task, with the combination that all tasks share.
class TaskBank final : public KernelBank {
 public:
  /// Both must outlive it.
  TaskBank(CombinedKernel& kernel, const Task& task);

  [[nodiscard]] Index samples() const override { return length(task_.y); }
  [[nodiscard]] Index kernels() const override { return bank_.kernels(); }
  [[nodiscard]] std::size_t bytes() const override { return bank_.bytes(); }
  [[nodiscard]] Products products(std::span<const Index> subset, const Panel& A, Reach reach,
                                  const Context& context) const override;
  [[nodiscard]] std::unique_ptr<Combined> combined(ConstSpan d) const override;
  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override;

 private:
  class Combination;  ///< K(d) on the rows of the task

  [[nodiscard]] std::vector<Index> rows(std::span<const Index> index) const;
  [[nodiscard]] Matrix everywhere(const Panel& A) const;  ///< zero on all other samples
  [[nodiscard]] Matrix on_own(const Matrix& all) const;

  CombinedKernel& kernel_;
  const KernelBank& bank_;
  const Task& task_;
};

}  // namespace kernmix
