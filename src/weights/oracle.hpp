#pragma once
/// \file
/// The inner problem of one task: weights in, (a, z) out. The only place where outer and inner
/// solver meet.
///
///   max_{a in A}  sum_i -(C_i loss)*(-a_i) - 1/2 a' K(d) a

#include <memory>
#include <optional>

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"
#include "svm/crammer_singer/joint_svm.hpp"
#include "svm/inner_solver.hpp"
#include "weights/combined_kernel.hpp"
#include "weights/curvature.hpp"

namespace kernmix {

/// Solves it for one weight vector after another, each from the last dual vector.
class Oracle {
 public:
  virtual ~Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  /// Improves a for K(d) until the inner duality gap is at most `gap_target`.
  virtual void solve(ConstSpan d, double gap_target, const Context& context) = 0;
  /// What solve() reads of K(d) that tasks share.
  virtual void prepare(ConstSpan /*d*/, const Context& /*context*/) const {}
  /// A dual vector moved into its set.
  [[nodiscard]] virtual Vector feasible(Vector a) const = 0;
  /// sum_i -(C_i loss)*(-a_i)
  [[nodiscard]] virtual double gain() const = 0;
  /// Entries where a moves smoothly with the weights.
  [[nodiscard]] virtual std::vector<Index> free_set() const = 0;
  /// Curvature of the optimal value at `point`, of this task, for these kernels.
  [[nodiscard]] virtual Curvature curvature(const Point& point, const FreeSet& free,
                                            const std::vector<Index>& kernels,
                                            const Context& context) = 0;

  /// Replaces the dual vector by another one, made feasible.
  void start_from(Vector a) { a_ = feasible(std::move(a)); }

  [[nodiscard]] const Vector& a() const { return a_; }
  [[nodiscard]] const Vector& z() const { return z_; }  ///< K(d) a
  /// Whether z() is of the bank's kernels, rather than of K(d) in single precision.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] double inner_gap() const { return gap_; }
  [[nodiscard]] double lower_value() const;  ///< gain - 1/2 a'z <= the optimal value
  [[nodiscard]] double upper_value() const { return lower_value() + gap_; }  ///< >= it
  [[nodiscard]] Index iterations() const { return iterations_; }

 protected:
  Oracle() = default;
  Vector a_;
  Vector z_;
  double gap_ = 0.0;
  bool exact_ = true;
  Index iterations_ = 0;
};

/// Of a task with one decision function.
class SvmOracle final : public Oracle {
 public:
  /// Of the only task, which has K(d) for itself. The problem must outlive it.
  explicit SvmOracle(const Problem& problem);
  /// Of task k, which shares K(d) with the others; both must outlive it.
  SvmOracle(const Problem& problem, Index k, CombinedKernel& kernel);

  void solve(ConstSpan d, double gap_target, const Context& context) override;
  void prepare(ConstSpan d, const Context& context) const override;
  [[nodiscard]] Vector feasible(Vector a) const override;
  [[nodiscard]] double gain() const override;
  [[nodiscard]] std::vector<Index> free_set() const override;
  [[nodiscard]] Curvature curvature(const Point& point, const FreeSet& free,
                                    const std::vector<Index>& kernels,
                                    const Context& context) override;

  [[nodiscard]] const DualSet& dual_set() const { return set_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  /// Triangles that the inner solver has of kernels. Of the only task.
  [[nodiscard]] TriangleCache& triangle_cache() { return inner_->triangle_cache(); }
  /// What is at hand of K(d): a factor, which takes the place of that at other weights, or the
  /// block of the samples `free` where the gap was measured with no more digits.
  [[nodiscard]] CachedHessian cached_hessian(ConstSpan d, std::span<const Index> free,
                                             const Context& context);

 private:
  /// A task as a problem of its own.
  struct Own {
    Own(const Problem& shared, Index k, CombinedKernel& kernel);
    TaskBank bank;
    Problem problem;
  };

  void start();

  CombinedKernel* kernel_ = nullptr;
  std::unique_ptr<Own> own_;
  const Problem& problem_;
  DualSet set_;
  std::optional<InnerSolver> inner_;  ///< kept of the only task: it holds a matrix
};

/// Of classes that are trained together: the dual vector is A, row by row.
class ClassOracle final : public Oracle {
 public:
  /// Both must outlive it.
  ClassOracle(const Problem& problem, CombinedKernel& kernel);

  void solve(ConstSpan d, double gap_target, const Context& context) override;
  [[nodiscard]] Vector feasible(Vector a) const override;
  [[nodiscard]] double gain() const override;
  [[nodiscard]] std::vector<Index> free_set() const override { return dual_.free; }
  [[nodiscard]] Curvature curvature(const Point& point, const FreeSet& free,
                                    const std::vector<Index>& kernels,
                                    const Context& context) override;

 private:
  const Problem& problem_;
  CombinedKernel& kernel_;
  ClassTargets targets_;
  JointDual dual_;
};

}  // namespace kernmix
