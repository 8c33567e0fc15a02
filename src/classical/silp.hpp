#pragma once
/// \file
/// Semi-infinite linear programming: the next weights minimise the cutting-plane model.

#include "weights/cuts/cut_program.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// Sonnenburg, Raetsch, Schaefer and Schoelkopf, JMLR 2006, algorithm 1
/// (docs/reference/solvers/silp.md), with theta = -t and S_m(a) = q_m / 2 - gain:
///
///   d <- argmin_{d in D} t   s.t.  t >= gain_i - 1/2 q_i' d  for every SVM solution a_i so far
///
/// The value of the linear program is a lower bound, proven by the average of the a_i with its
/// multipliers as weights; the lowest primal value so far is the upper bound.
template <HasLinearWeights R>
void silp(const R& regularizer, Objective& run) {
  StagnationCheck patience(200);  // bounds may improve slowly for many iterations
  CutProgram program(run.kernels(), regularizer.upper_bound(run.kernels()));
  Point point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  while (!run.finished()) {
    program.add(point);
    CutMinimum minimum = program.solve();
    run.raise_lower_bound(program.cuts().aggregate(minimum.multipliers),
                          minimum.lower_bound(regularizer));
    if (run.finished()) return;
    point = run.evaluate(std::move(minimum.d), "lp");
    patience.after_step(run);
  }
}

struct Silp {
  static constexpr const char* name = "silp";
  static constexpr const char* needs = "weights on the simplex without a penalty";
  static constexpr bool couples(Coupling coupling) { return coupling != Coupling::minimax; }
  template <typename R>
  static constexpr bool takes = HasLinearWeights<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    silp(regularizer, run);
  }
};

}  // namespace kernmix
