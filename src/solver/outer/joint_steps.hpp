#pragma once
/// \file
/// Steps of an interior point method for dual vector and weights at once (joint_barrier.hpp), for
/// weights on the simplex or its part below a bound, 0 <= d_m <= u and sum d_m = 1.

#include "solver/outer/cut_program.hpp"
#include "solver/outer/joint_barrier.hpp"

namespace kernmix {

/// A size at which factorising n x n matrices some fifteen times is cheap.
[[nodiscard]] bool joint_steps_affordable(Index n, Index M);

/// What the steps keep for W of M kernels: K(d) and its factor, the products of the kernels twice,
/// and their triangles in single precision where these are few entries.
[[nodiscard]] std::size_t joint_steps_bytes(Index n, Index W);

/// Whether the problem has the form that the method needs, and is small enough.
[[nodiscard]] bool joint_steps_fit(const Run& run, double upper_bound);

/// Offers a dual vector as proof: of the iterate, rounded, where that will do. Its zeros make the
/// certificate cheap.
void prove_rounded(Run& run, Vector a);

/// Steps from `start` until the products of distances and multipliers, which add up to the gap, are
/// a part of the gap that is asked for; then the SVM at the weights found there. Ends when the run
/// does, or where rounding leaves no step.
template <HasLinearWeights R>
void joint_steps(const R& regularizer, Run& run, const Point& start) {
  constexpr int kSteps = 80;
  constexpr double kShare = 0.5;
  constexpr double kReduction = 0.1;
  constexpr double kPricedAgain = 0.3;
  if (!joint_steps_fit(run, regularizer.upper_bound())) return;
  JointBarrier barrier(run, start, regularizer.upper_bound());
  double target = kShare * run.tolerance();
  double priced = barrier.complementarity();
  for (int k = 0; k < kSteps && !run.finished() && barrier.step(); ++k) {
    const double wanted = target * std::abs(barrier.value());
    const double open = barrier.complementarity();
    if (open > kPricedAgain * priced && open > wanted) continue;
    priced = open;
    barrier.shrink();
    const JointPoint point = barrier.price();
    if (open > wanted || point.certificate.dual < barrier.value() - wanted) continue;
    Vector rounded = barrier.rounded_dual();
    run.start_from(rounded);
    run.expect(point.certificate.dual, target);
    run.evaluate(point.d, "interior-point");
    prove_rounded(run, std::move(rounded));
    if (!run.finished()) run.prove(point.a, point.certificate.dual);
    target *= kReduction;
  }
}

}  // namespace kernmix
