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

/// If the bank has a small enough factor of K(d): semismooth Newton steps for every loss.
/// Otherwise, on the matrix: Newton's method if the gain is smooth (one step is exact for the
/// squared loss), or SMO if it is quadratic in a.
class InnerSolver {
 public:
  InnerSolver(const Problem& problem, const DualSet& set);

  /// Improves `a` (feasible on entry) until the gap is at most `gap_target` or no progress is
  /// possible. On return z = K(d) a, with the precision that the result states.
  /// \param forming  of K(d), whose end may be that of its use (of_use_if_finished)
  InnerResult solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                    const Context& context, const Context& forming);
  InnerResult solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                    const Context& context) {
    return solve(d, gap_target, a, z, context, context);
  }

  /// The lower triangle of the Hessian of SMO's objective at the weights d for the samples `index`;
  /// empty if SMO does not have it in memory.
  [[nodiscard]] RowMatrixF hessian_block(ConstSpan d, std::span<const Index> index) const;

  /// The factor of K(d), with an additional column of ones for a penalised bias, in the place of
  /// that of the last problem; null if that was not solved on one.
  [[nodiscard]] const WeightedColumns* factor(ConstSpan d, const Context& context);

  /// The cache of kernel triangles, shared with other users.
  [[nodiscard]] TriangleCache& triangle_cache() { return triangles_; }

 private:
  using Method = std::variant<DualSmo, DualNewton, SemismoothNewton>;

  [[nodiscard]] bool is_combined_for(ConstSpan d) const;
  void combine(ConstSpan d, const Context& context);
  InnerResult method_gives(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                           MutableSpan a, MutableSpan z, const Context& context);

  const Problem& problem_;
  const DualSet& set_;
  TriangleCache triangles_;
  std::optional<Method> method_;
  Vector combined_for_;  ///< the weights that the method's kernel belongs to
  Index moves_ = 0;      ///< of SMO for the last weights
};

}  // namespace kernmix
