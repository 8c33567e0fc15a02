#pragma once
/// \file
/// Interior point method for dual vector and weights together (joint_barrier.hpp).

#include "solver/outer/cut_program.hpp"
#include "solver/outer/joint_barrier.hpp"
#include "solver/outer/newton.hpp"

namespace kernmix {

template <HasLinearWeights R>
void interior_point(const R& regularizer, Run& run) {
  constexpr int kSteps = 60;
  std::optional<QuadraticGain> gain = quadratic_gain(run.problem());
  if (gain) {
    JointBarrier barrier(run, std::move(*gain), regularizer.upper_bound());
    double target = 0.7 * run.tolerance();
    for (int k = 0; k < kSteps && !run.context().should_stop(); ++k) {
      if (!barrier.step()) break;
      if (barrier.complementarity() > 20.0 * target * barrier.scale()) continue;
      const JointPoint point = barrier.point();
      if (point.certificate.relative_gap() > target) continue;
      run.start_from(barrier.rounded_dual());
      run.expect(point.certificate);
      run.evaluate(point.d, "interior-point");
      if (run.finished()) return;
      target *= 0.3;
    }
  }
  newton(regularizer, run);
}

struct InteriorPointMkl {
  static constexpr const char* name = "interior-point";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Run& run) {
    interior_point(regularizer, run);
  }
};

}  // namespace kernmix
