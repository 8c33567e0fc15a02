#pragma once
/// \file
/// Solves the inner problem on one combined kernel, by the method that the loss allows.
///
///   max_{a in A}  sum_i -(C_i loss)*(-a_i) - 1/2 a' K a

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/solver/inner/smo.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct InnerResult {
  double gap = 0.0;  ///< of the inner problem, at the exact z
  Index iterations = 0;
};

/// SMO where the gain is quadratic in a, Newton's method where it is smooth.
class InnerSolver {
 public:
  InnerSolver(const Problem& problem, const DualSet& set);

  /// Where the next kernel goes, n x n, allocated when it is first asked for; kernel_is_ready()
  /// must follow.
  [[nodiscard]] std::span<float> kernel();
  void kernel_is_ready();

  /// Improves `a` (feasible on entry) until the gap is at most `gap_target` or nothing more can be
  /// gained. On return z = K a by `exact`.
  InnerResult solve(const ExactProduct& exact, double gap_target, MutableSpan a, MutableSpan z,
                    const Context& context);

  /// The inner duality gap at (a, z = K a).
  [[nodiscard]] double gap_at(ConstSpan a, ConstSpan z) const;

 private:
  void read_quadratic_terms();
  InnerResult solve_by_smo(const ExactProduct& exact, double gap_target, MutableSpan a,
                           MutableSpan z, const Context& context);

  const Problem& problem_;
  const DualSet& set_;
  std::vector<float> K_;
  /// The quadratic terms as SMO sees them. Without a held sum there is one variable more: a slack
  /// whose row of K is zero takes up the sum of the others, so that a pair with it moves one
  /// variable freely.
  Vector linear_, diagonal_, kink_, lower_, upper_;
  std::vector<Index> block_;
  bool slack_ = false;
  bool quadratic_ = false;
  double constant_ = 0.0;  ///< added to every entry of K: 1 where the bias is penalised
};

}  // namespace kernmix
