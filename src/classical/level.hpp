#pragma once
/// \file
/// The level method (weights/cuts/level_step.hpp) on its own.

#include "weights/cuts/level_step.hpp"
#include "weights/objective.hpp"
#include "weights/patience.hpp"

namespace kernmix {

inline void level(const WeightRules& rules, Objective& J) {
  Patience patience;
  CutProgram program(J.kernels(), *rules.linear_bound(J.kernels()));
  std::optional<Point> point = J.evaluate(rules.initial_weights(J.kernels()), "start");
  program.add(*point);
  while (!J.finished()) {
    point = level_step(rules, J, program, point->d);
    if (!point) return;
    patience.after_step(J);
  }
}

struct Level {
  static constexpr const char* name = "level";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& /*regularizer*/, Objective& J) {
    level(WeightRules(J.problem().regularizer), J);
  }
};

}  // namespace kernmix
