#pragma once
/// \file
/// The inner problem as SMO sees it: a gain that is linear' a - 1/2 a' diag a - sum kink |a| in the
/// box,
///
///   min_a  1/2 a' (K(d) + diag [+ 1 1' where the bias is penalised]) a - linear' a + sum kink |a|.

#include <memory>
#include <span>
#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/bank/triangle_cache.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/svm/smo.hpp"
#include "kernmix/types.hpp"
#include "svm/inner_result.hpp"

namespace kernmix {

/// SMO for every loss with a quadratic dual and every bias rule.
class DualSmo {
 public:
  /// All must outlive it. The loss must satisfy HasQuadraticDual.
  DualSmo(const Problem& problem, const DualSet& set, TriangleCache& triangles);

  /// The kernel of the problems to come, K(d).
  void combine(ConstSpan d, const Context& context);

  /// From now on a solve ends after so many moves; 0 for no limit.
  void limit_moves(Index most) { most_moves_ = most; }

  /// Improves `a` (feasible on entry) until `gap` is at most `gap_target` or nothing more can be
  /// gained. On return z = K(d) a, by `exact` unless the gap allowed is far above what rounding
  /// K(d) to single precision changes.
  InnerResult solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                    MutableSpan a, MutableSpan z, const Context& context);

  /// K(d) + diag [+ 1 1' where the bias is penalised] of the samples `index`: the lower triangle.
  [[nodiscard]] RowMatrixF hessian_block(std::span<const Index> index) const;

 private:
  /// Rows of K_: a sample each, and the slack variable's.
  [[nodiscard]] Index size() const { return length(linear_); }
  [[nodiscard]] SmoOptions smo_options(double gap_target) const;
  /// Whether K(d) in single precision is as good as K(d) for this gap.
  [[nodiscard]] bool single_will_do(ConstSpan a, double gap_target) const;
  void read_quadratic_terms();
  void centre_linear_terms();
  void add_slack();
  [[nodiscard]] double violation_floor() const;
  struct Rounding {
    double value;  ///< of J
    double gap;
  };
  [[nodiscard]] Rounding rounding(ConstSpan variables) const;

  const Problem& problem_;
  TriangleCache& triangles_;
  std::shared_ptr<float[]> memory_;
  std::span<float> K_;  ///< row-major, in memory_
  /// Without a held sum there is one variable more: a slack whose row of K is zero takes up the sum
  /// of the others, so that a pair with it moves one variable freely.
  Vector linear_, diagonal_, kink_, lower_, upper_;
  std::vector<Index> block_;
  bool slack_;
  Index most_moves_ = 0;
  double constant_;  ///< added to every entry of K: 1 where the bias is penalised
};

}  // namespace kernmix
