#pragma once
/// \file
/// Dual vector and weights at once by an interior point method: docs/solvers/interior-point.md.

#include "weights/newton.hpp"
#include "weights/start/newton_start.hpp"
#include "weights/strategies/cut_program.hpp"
#include "weights/strategies/joint_steps.hpp"

namespace kernmix {

/// Newton's method in the weights finishes what the steps leave, and takes over where they do not
/// fit.
template <HasLinearWeights R>
void interior_point(const R& regularizer, Objective& run) {
  const Point start = run.evaluate(first_weights(regularizer, run), "start");
  if (!run.finished()) joint_steps(regularizer.upper_bound(), run, start);
  if (!run.finished()) newton(run.problem().regularizer, run);
}

struct InteriorPointMkl {
  static constexpr const char* name = "interior-point";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    interior_point(regularizer, run);
  }
};

}  // namespace kernmix
