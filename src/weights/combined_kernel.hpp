#pragma once
/// \file
/// K(d) = sum_m d_m K_m, formed once for all tasks, and the view of it that each task uses.

#include <memory>
#include <mutex>

#include "base/linear_algebra.hpp"
#include "kernmix/bank/bank.hpp"
#include "kernmix/bank/triangle_cache.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// One combination of the kernels of a bank. Each representation is formed on first use.
class CombinedKernel {
 public:
  /// \param bank  must outlive this object
  explicit CombinedKernel(const KernelBank& bank) : bank_(bank), triangles_(bank) {}

  [[nodiscard]] const KernelBank& bank() const { return bank_; }
  /// The n x n matrix in single precision, combined from cached triangles if kernels are reused.
  [[nodiscard]] std::span<const float> single(ConstSpan d, const Context& context);
  /// The n x n matrix in double precision.
  [[nodiscard]] const Matrix& dense(ConstSpan d, const Context& context);
  /// The factor Z with K(d) = Z Z'.
  [[nodiscard]] const Matrix& factor(ConstSpan d, const Context& context);
  /// The product A K(d) for the rows of A, T x n. It uses the factor of K(d) if the bank has one,
  /// and dense(d) otherwise.
  [[nodiscard]] Matrix product(ConstSpan d, const Matrix& A, const Context& context);
  /// Whether dense(d) has already been formed.
  [[nodiscard]] bool has_dense(ConstSpan d);

 private:
  void remember(ConstSpan d);

  const KernelBank& bank_;
  std::mutex forming_;  ///< tasks are solved concurrently
  Vector d_;            ///< weights of the cached representations below
  std::shared_ptr<float[]> single_;
  bool has_single_ = false;
  Matrix dense_;
  Matrix factor_;
  TriangleCache triangles_;
};

/// The bank restricted to the rows of one task. All tasks share the combination.
class TaskBank final : public KernelBank {
 public:
  /// Both arguments must outlive this object.
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
  [[nodiscard]] Matrix everywhere(const Panel& A) const;  ///< zero on samples of other tasks
  [[nodiscard]] Matrix on_own(const Matrix& all) const;

  CombinedKernel& kernel_;
  const KernelBank& bank_;
  const Task& task_;
};

}  // namespace kernmix
