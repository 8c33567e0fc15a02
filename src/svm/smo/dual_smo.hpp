#pragma once
/// \file
/// The inner problem in the form of SMO: with the gain linear' a - 1/2 a' diag a - sum kink |a| in
/// the box,
///
///   min_a 1/2 a' (K(d) + diag [+ 1 1' for a penalised bias]) a - linear' a + sum kink |a|.

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

/// SMO for losses with a quadratic dual and all bias rules.
class DualSmo {
 public:
  /// All must outlive it. The loss must satisfy HasQuadraticDual.
  DualSmo(const Problem& problem, const DualSet& set, TriangleCache& triangles);

  /// Computes K(d), the kernel of the following problems.
  void combine(ConstSpan d, const Context& context);

  /// Limits the number of moves of later solves; 0 for no limit.
  void limit_moves(Index most) { most_moves_ = most; }

  /// Improves `a` (feasible on entry) until `gap` is at most `gap_target` or no progress is
  /// possible. On return z = K(d) a, by `exact` unless the target is far above the effect of
  /// rounding K(d) to single precision.
  InnerResult solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                    MutableSpan a, MutableSpan z, const Context& context);

  /// The lower triangle of K(d) + diag [+ 1 1' for a penalised bias] for the samples `index`.
  [[nodiscard]] RowMatrixF hessian_block(std::span<const Index> index) const;

 private:
  /// Number of rows of K_: one for each sample, and one for the slack variable.
  [[nodiscard]] Index size() const { return length(linear_); }
  [[nodiscard]] SmoOptions smo_options(double gap_target) const;
  /// Whether K(d) in single precision is accurate enough for this gap.
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
  /// Without a fixed sum there is an additional slack variable whose row of K is zero; it balances
  /// the sum, so that a pair with it moves one variable freely.
  Vector linear_, diagonal_, kink_, lower_, upper_;
  std::vector<Index> block_;
  bool slack_;
  Index most_moves_ = 0;
  double constant_;  ///< added to every entry of K: 1 for a penalised bias
};

}  // namespace kernmix
