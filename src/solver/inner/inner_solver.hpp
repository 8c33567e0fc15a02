#pragma once
/// \file
/// Solves the inner problem for one weight vector after another, by the method that the loss
/// allows.
///
///   max_{a in A}  sum_i -(C_i loss)*(-a_i) - 1/2 a' K(d) a

#include <variant>

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"
#include "solver/inner/dual_newton.hpp"
#include "solver/inner/dual_smo.hpp"
#include "solver/inner/inner_result.hpp"

namespace kernmix {

/// Newton's method where the gain is smooth, else SMO, which needs it quadratic in a. For the
/// squared loss, which is both, one Newton step is exact.
class InnerSolver {
 public:
  InnerSolver(const Problem& problem, const DualSet& set);

  /// Improves `a` (feasible on entry) until the gap is at most `gap_target` or nothing more can be
  /// gained. On return z = K(d) a, as exact as the result says.
  InnerResult solve(ConstSpan d, double gap_target, MutableSpan a, MutableSpan z,
                    const Context& context);

  /// The inner duality gap at (a, z = K(d) a).
  [[nodiscard]] double gap_at(ConstSpan a, ConstSpan z) const;

 private:
  const Problem& problem_;
  std::variant<DualSmo, DualNewton> method_;
  Vector combined_for_;  ///< the weights that the method's kernel belongs to
};

}  // namespace kernmix
