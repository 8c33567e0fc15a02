#pragma once
/// \file
/// Bundle-level method for many tasks that solves only those that decide.

#include <limits>

#include "regularizer/any.hpp"
#include "weights/cuts/masters.hpp"
#include "weights/tasks/task_visit.hpp"

namespace kernmix {

/// For each task the largest of its cuts at x.
[[nodiscard]] inline Vector proven_at(const Bundle& cuts, ConstSpan x, Index tasks) {
  Vector proven(static_cast<std::size_t>(tasks), -std::numeric_limits<double>::infinity());
  const Vector values = cuts.values(x);
  for (std::size_t i = 0; i < values.size(); ++i) {
    double& own = proven[static_cast<std::size_t>(cuts.cut(i).task)];
    own = std::max(own, values[i]);
  }
  return proven;
}

/// Solves some tasks at the weights where they are; each gives a cut.
template <typename Master>
void solve_and_cut(SharedRun& run, Master& master, const TaskVisit& visit,
                   const std::vector<Index>& some) {
  Vector targets;
  for (const Index k : some) targets.push_back(visit.target(run, k));
  run.tasks().solve(some, targets);
  for (const Index k : some) {
    const TaskState& state = run.tasks().state(k);
    master.add({state.gain, state.q, state.a, k});
  }
  run.keep_upper();
}

/// Looks at the weights d, which may make them the best ones (task_visit.hpp).
template <typename Master>
void visit_weights(SharedRun& run, Master& master, const Vector& d, const std::string& step) {
  run.tasks().move_to(d);
  run.keep_upper();
  TaskVisit visit(run, proven_at(master.cuts(), d, run.problem().size()));
  while (!run.context().should_stop()) {
    const std::vector<Index> some = visit.decisive(run);
    if (some.empty()) break;
    solve_and_cut(run, master, visit, some);
  }
  run.record(step);
}

/// Level steps (Lemarechal, Nemirovskii and Nesterov 1995) on the cuts of all tasks, which stay
/// valid for all weights:
///
///   lower = min_{x in D} model(x),   level = lambda upper + (1 - lambda) lower,
///   d <- a point of D with model(d) <= level;   tasks are solved at d as far as they decide.
template <typename R, typename Master>
void lazy_bundle(const R& regularizer, SharedRun& run) {
  constexpr double kLambda = 0.5;
  constexpr int kPatience = 100;
  Master master(regularizer, run);
  visit_weights(run, master, regularizer.initial_weights(run.problem().kernels()), "start");
  double gap = run.open_gap();
  for (int fruitless = 0; !run.finished() && master.cuts().size() > 0; ++fruitless) {
    const CutMinimum minimum = master.minimum(regularizer, run);
    Aggregate proof =
        aggregate_tasks(master.cuts(), minimum.multipliers, run.tasks().dual_vectors());
    run.keep_lower(bound_of(regularizer, minimum), std::move(proof.gamma), std::move(proof.a));
    if (run.finished()) return;
    const double level = kLambda * run.best_upper() + (1.0 - kLambda) * run.best_lower();
    visit_weights(run, master, master.next(regularizer, run, minimum, level), "level");
    if (run.best_upper() - run.best_lower() < 0.99 * gap) {
      gap = run.best_upper() - run.best_lower();
      fruitless = 0;
    }
    if (fruitless >= kPatience) run.give_up();
  }
}

struct LazyBundle {
  static constexpr const char* name = "lazy-bundle";
  static constexpr const char* needs = "a minimiser of its quadratic model";
  static constexpr bool couples(Coupling) { return true; }
  template <typename R>
  static constexpr bool takes = HasModelMinimizer<R>;
  template <typename R>
  static void run(const R& regularizer, SharedRun& run) {
    if constexpr (HasLinearWeights<R>) {
      if (!run.is_sum()) return lazy_bundle<R, LinearMaster>(regularizer, run);
    }
    lazy_bundle<R, SmoothMaster>(regularizer, run);
  }
};

}  // namespace kernmix
