#pragma once
/// \file
/// The level method: the next weights are the nearest ones at which all cutting planes are low.

#include <optional>

#include "weights/objective.hpp"
#include "weights/strategies/cut_program.hpp"
#include "weights/strategies/level_projection.hpp"
#include "weights/strategies/patience.hpp"

namespace kernmix {

/// One step of Xu, Jin, King and Lyu, NIPS 2008 (and Lemarechal, Nemirovskii and
/// Nesterov 1995), from `centre`:
///
///   lower = min_{x in D} max_i cut_i(x),   upper = lowest primal value,
///   level = lambda upper + (1 - lambda) lower,
///   d <- argmin 1/2 |x - centre|^2   s.t.  x in D,  cut_i(x) <= level  for every cut i
///
/// All cuts use the current level. The paper has lambda = 0.9; docs/solvers/level.md compares.
/// \returns nothing where the cuts alone prove the best answer good enough
template <HasLinearWeights R>
std::optional<Point> level_step(const R& regularizer, WeightObjective& run, CutProgram& program,
                                ConstSpan centre) {
  constexpr double kLambda = 0.5;
  const CutMinimum minimum = program.solve();
  run.raise_lower_bound(program.cuts().aggregate(minimum.multipliers),
                        minimum.lower_bound(regularizer));
  if (run.finished()) return std::nullopt;
  const double level = kLambda * run.best_primal() + (1.0 - kLambda) * run.best_dual();
  Vector d = project_onto_level_set(program.cuts(), level, centre, regularizer.upper_bound());
  if (d.empty()) d = minimum.d;
  Point next = run.evaluate(std::move(d), "level");
  program.add(next);
  return next;
}

template <HasLinearWeights R>
void level(const R& regularizer, Objective& run) {
  Patience patience;
  CutProgram program(run.kernels(), regularizer.upper_bound());
  std::optional<Point> point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  program.add(*point);
  while (!run.finished()) {
    point = level_step(regularizer, run, program, point->d);
    if (!point) return;
    patience.after_step(run);
  }
}

struct Level {
  static constexpr const char* name = "level";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    level(regularizer, run);
  }
};

}  // namespace kernmix
