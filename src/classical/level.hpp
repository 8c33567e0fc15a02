#pragma once
/// \file
/// The level method (weights/cuts/level_step.hpp) on its own.

#include "weights/cuts/level_step.hpp"
#include "weights/cuts/masters.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

inline void level(const WeightRules& rules, Objective& J) {
  StagnationCheck patience;
  CutProgram program(J.kernels(), *rules.linear_bound(J.kernels()));
  std::optional<Point> point = J.evaluate(rules.initial_weights(J.kernels()), "start");
  program.add(*point);
  while (!J.finished()) {
    point = level_step(rules, J, program, point->d);
    if (!point) return;
    patience.after_step(J);
  }
}

/// A set of sparse weights with a projection and without a penalty: the balls of SGMKL. (The
/// minimum of the cuts in the balls of lp takes seconds a step.)
template <typename R>
concept IsSparseBall =
    HasSparseWeights<R> && HasProjection<R> && HasModelMinimizer<R> && !HasPenaltySlope<R> &&
    !HasBoundedDual<R> && !OnSimplex<R>;

/// The same method where D is a ball (Yang, Xu, Ye, King and Lyu 2011): the minimum of the cuts and
/// the projection are no longer linear and quadratic programs.
template <IsSparseBall R>
void level_on_ball(const R& regularizer, Objective& J) {
  constexpr double kLambda = 0.5;
  StagnationCheck patience;
  SmoothMaster master(regularizer, J);
  const auto evaluate = [&](Vector d, const char* step) {
    Point point = J.evaluate(std::move(d), step);
    master.add({point.gain, point.q, point.a, 0});
    return point;
  };
  Point point = evaluate(regularizer.initial_weights(J.kernels()), "start");
  while (!J.finished()) {
    const CutMinimum minimum = master.minimum(regularizer, J);
    J.raise_lower_bound(master.cuts().aggregate(minimum.multipliers),
                        bound_of(regularizer, minimum));
    if (J.finished()) return;
    const double level = kLambda * J.best_primal() + (1.0 - kLambda) * J.best_dual();
    point = evaluate(project_onto_level_set(master.cuts(), level, point.d,
                                            [&](MutableSpan x) { regularizer.project(x); }),
                     "level");
    patience.after_step(J);
  }
}

struct Level {
  static constexpr const char* name = "level";
  static constexpr const char* needs =
      "sparse weights on the simplex or in a ball, without a penalty";
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R> || IsSparseBall<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& J) {
    if constexpr (IsSparseBall<R>) {
      level_on_ball(regularizer, J);
    } else {
      level(WeightRules(J.problem().regularizer), J);
    }
  }
};

}  // namespace kernmix
