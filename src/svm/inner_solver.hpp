#pragma once
/// \file
/// Solves the inner problem for one weight vector after another, by the method that the loss and
/// the kernel allow.
///
///   max_{a in A}  sum_i -(C_i loss)*(-a_i) - 1/2 a' K(d) a

#include <optional>
#include <variant>

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"
#include "svm/inner_result.hpp"
#include "svm/newton/dual_newton.hpp"
#include "svm/newton/semismooth_newton.hpp"
#include "svm/smo/dual_smo.hpp"

namespace kernmix {

/// On a factor of K(d), where the bank has one that is small enough, semismooth Newton steps for
/// every loss. On the matrix Newton's method where the gain is smooth (for the squared loss one
/// step is exact), else SMO, which needs it quadratic in a.
class InnerSolver {
 public:
  InnerSolver(const Problem& problem, const DualSet& set);

  /// Improves `a` (feasible on entry) until the gap is at most `gap_target` or nothing more can be
  /// gained. On return z = K(d) a, as exact as the result says.
  InnerResult solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                    const Context& context);

  /// The curvature of what SMO minimises at the weights d, of the samples `index`, its lower
  /// triangle; empty where SMO does not hold it.
  [[nodiscard]] RowMatrixF hessian_block(ConstSpan d, std::span<const Index> index) const;

  /// The factor of K(d), with a column of ones more where the bias is penalised, in the place of
  /// that of the last problem; null where that was not solved on one.
  [[nodiscard]] const Matrix* factor(ConstSpan d, const Context& context);

  /// Triangles that it has of kernels, for others to use and add to.
  [[nodiscard]] TriangleCache& triangle_cache() { return triangles_; }

 private:
  using Method = std::variant<DualSmo, DualNewton, SemismoothNewton>;

  void combine(ConstSpan d, const Context& context);
  InnerResult method_gives(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                           MutableSpan a, MutableSpan z, const Context& context);

  const Problem& problem_;
  const DualSet& set_;
  TriangleCache triangles_;
  std::optional<Method> method_;
  Vector combined_for_;  ///< the weights that the method's kernel belongs to
  Index moves_ = 0;      ///< that SMO made for the last weights that it was asked for
};

}  // namespace kernmix
