#pragma once
/// \file
/// Bundle-level method for many tasks that solves only the decisive ones.

#include <limits>

#include "classical/task_selection.hpp"
#include "regularizer/any.hpp"
#include "weights/cuts/masters.hpp"

namespace kernmix {

/// For each task the largest value of its cuts at x.
[[nodiscard]] inline Vector proven_at(const Bundle& cuts, ConstSpan x, Index tasks) {
  Vector proven(static_cast<std::size_t>(tasks), -std::numeric_limits<double>::infinity());
  const Vector values = cuts.values(x);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& own = proven[static_cast<std::size_t>(cuts.cut(i).task)];
    own = std::max(own, values[i]);
  }
  return proven;
}

/// Solves some tasks at the current weights; each gives a cut.
template <typename Master>
void solve_and_cut(Objective& J, Master& master, const TaskSelection& visit,
                   const std::vector<Index>& some) {
  Vector targets;
  for (const Index k : some) targets.push_back(visit.target(J, k));
  J.solve(some, targets);
  for (const Index k : some) {
    const TaskState& state = J.tasks().state(k);
    master.add({state.gain, state.q, J.tasks().oracle(k).a(), k});
  }
  J.keep_here();
}

/// Evaluates the weights d, which may become the best ones (task_selection.hpp).
template <typename Master>
void visit_weights(Objective& J, Master& master, const Vector& d, const std::string& step) {
  J.move_to(d);
  J.keep_here();
  TaskSelection visit(J, proven_at(master.cuts(), d, J.problem().size()));
  while (!J.context().should_stop()) {
    const std::vector<Index> some = visit.decisive(J);
    if (some.empty()) break;
    solve_and_cut(J, master, visit, some);
  }
  J.record(step);
}

/// Level steps (Lemarechal, Nemirovskii and Nesterov 1995) on the cuts of all tasks, which are
/// valid for all weights:
///
///   lower = min_{x in D} model(x),   level = lambda upper + (1 - lambda) lower,
///   d <- a point of D with model(d) <= level; only decisive tasks are solved at d.
template <typename R, typename Master>
void lazy_bundle(const R& regularizer, Objective& J) {
  constexpr double kLambda = 0.5;
  constexpr int kPatience = 100;
  Master master(regularizer, J);
  visit_weights(J, master, regularizer.initial_weights(J.kernels()), "start");
  double gap = J.open_gap();
  for (int fruitless = 0; !J.finished() && master.cuts().size() > 0; ++fruitless) {
    const CutMinimum minimum = master.minimum(regularizer, J);
    const Witness proof =
        aggregate_tasks(master.cuts(), minimum.multipliers, J.tasks().dual_vectors());
    J.raise_lower_bound(proof.a, bound_of(regularizer, minimum), proof.gamma);
    if (J.finished()) return;
    const double level = kLambda * J.best_primal() + (1.0 - kLambda) * J.best_dual();
    visit_weights(J, master, master.next(regularizer, J, minimum, level), "level");
    if (J.best_primal() - J.best_dual() < 0.99 * gap) {
      gap = J.best_primal() - J.best_dual();
      fruitless = 0;
    }
    if (fruitless >= kPatience) J.give_up();
  }
}

struct LazyBundle {
  static constexpr const char* name = "lazy-bundle";
  static constexpr const char* needs = "a minimiser of its quadratic model";
  static constexpr bool couples(Coupling) { return true; }
  template <typename R>
  static constexpr bool takes = HasModelMinimizer<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& J) {
    if constexpr (HasLinearWeights<R>) {
      if (J.is_minimax()) return lazy_bundle<R, LinearMaster>(regularizer, J);
    }
    lazy_bundle<R, SmoothMaster>(regularizer, J);
  }
};

}  // namespace kernmix
