#pragma once
/// \file
/// The inner problem of one task, which maps weights to (a, z). It is the only interface between
/// outer and inner solver.
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

/// Solves the inner problem for a sequence of weight vectors. Each solve starts from the last dual
/// vector.
class Oracle {
 public:
  virtual ~Oracle() = default;
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  /// Improves a for K(d) until the inner duality gap is at most `gap_target`.
  virtual void solve(ConstSpan d, double gap_target, const Context& context) = 0;
  /// Forms the shared representation of K(d) that solve() reads, before tasks are solved
  /// concurrently.
  virtual void prepare(ConstSpan /*d*/, const Context& /*context*/) const {}
  /// Makes a dual vector feasible.
  [[nodiscard]] virtual Vector feasible(Vector a) const = 0;
  /// sum_i -(C_i loss)*(-a_i)
  [[nodiscard]] virtual double gain() const = 0;
  /// The entries where a depends smoothly on the weights.
  [[nodiscard]] virtual std::vector<Index> free_set() const = 0;
  /// The curvature of the optimal value of this task at `point`, for these kernels.
  [[nodiscard]] virtual Curvature curvature(const Point& point, const FreeSet& free,
                                            const std::vector<Index>& kernels,
                                            const Context& context) = 0;

  /// The caller has an answer: from now on solve() throws ResourceError if time is up while K(d) is
  /// formed.
  void answer_exists() { answer_exists_ = true; }

  /// Replaces the dual vector by another vector, made feasible.
  void start_from(Vector a) {
    a_ = feasible(std::move(a));
    measured_at_.clear();
  }

  [[nodiscard]] const Vector& a() const { return a_; }
  [[nodiscard]] const Vector& z() const { return z_; }  ///< K(d) a
  /// Whether z() was computed from the bank's kernels, rather than from K(d) in single precision.
  [[nodiscard]] bool exact() const { return exact_; }
  [[nodiscard]] double inner_gap() const { return gap_; }
  [[nodiscard]] double lower_value() const;  ///< gain - 1/2 a'z <= the optimal value
  [[nodiscard]] double upper_value() const { return lower_value() + gap_; }  ///< >= the optimum
  [[nodiscard]] Index iterations() const { return iterations_; }

 protected:
  Oracle() = default;
  Vector a_;
  Vector z_;
  double gap_ = 0.0;
  bool exact_ = true;
  bool answer_exists_ = false;
  Vector measured_at_;  ///< the weights of z and the gap; empty: none
  Index iterations_ = 0;
};

/// The oracle of a task with one decision function.
class SvmOracle final : public Oracle {
 public:
  /// The oracle of a single task, which does not share K(d). The problem must outlive this object.
  explicit SvmOracle(const Problem& problem);
  /// The oracle of task k, which shares K(d) with the other tasks. Both `problem` and `kernel` must
  /// outlive this object.
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
  /// The inner solver's cache of kernel triangles. It exists only for a single task.
  [[nodiscard]] TriangleCache& triangle_cache() { return inner_->triangle_cache(); }
  /// The cached representation of K(d): a factor, which replaces the factor at other weights, or,
  /// if the gap was evaluated in single precision anyway, the block of the samples `free`.
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
  [[nodiscard]] bool is_zero() const;
  void stay_at_zero();
  InnerResult improve(ConstSpan d, double gap_target, const Context& context,
                      const Context& forming);

  CombinedKernel* kernel_ = nullptr;
  std::unique_ptr<Own> own_;
  const Problem& problem_;
  DualSet set_;
  std::optional<InnerSolver> inner_;  ///< kept for a single task only, because it holds a matrix
};

/// The oracle of jointly trained classes. Its dual vector is A, row by row.
class ClassOracle final : public Oracle {
 public:
  /// Both arguments must outlive this object.
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
