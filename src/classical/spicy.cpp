#include "classical/spicy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "weights/memory.hpp"

namespace kernmix {

void spicy(Vector start, const NormProx& norm, Objective& run) {
  constexpr double kGrowth = 4.0;
  constexpr double kFastGrowth = 16.0;  // while few Newton steps suffice
  constexpr int kFewSteps = 3;
  constexpr double kShrinkage = 0.25;  // where phi is too kinked to be minimised
  constexpr double kAccuracy = 0.1;    // of phi, relative to the next update of the multipliers
  constexpr int kNewtonSteps = 50;
  constexpr int kPatience = 10;
  const Problem& problem = run.problem();
  const auto n = static_cast<std::size_t>(problem.samples());
  const std::size_t products = 3 * to_size(run.kernels()) * n * sizeof(double);
  require_room(problem.bank, n * n * (2 * sizeof(double) + sizeof(float)) + products,
               "solver spicy factorises an n x n Hessian", run.context());
  // gamma has the unit of a weight, because p_m = (1 + d_m / gamma) a at the optimum; if gamma is
  // much larger than the weights, phi is as nonsmooth as Omega* and Newton's steps cross many
  // kinks.
  const double gamma =
      std::accumulate(start.begin(), start.end(), 0.0) / static_cast<double>(start.size());
  run.certify_zero(std::move(start));
  if (run.finished()) return;

  AugmentedLagrangian lagrangian(norm, gamma, run);
  int fruitless = 0;
  while (!run.finished()) {
    const double gap_before = run.best_relative_gap();
    const double dual_before = run.best_dual();
    Index steps = 0;
    while (steps < kNewtonSteps && !run.context().should_stop()) {
      ++steps;
      if (lagrangian.newton_step() > kAccuracy * lagrangian.move()) continue;
      if (!lagrangian.find_active_kernels()) break;
    }
    run.count_inner(steps);
    Vector a = lagrangian.a_in_box();
    make_feasible(run.dual_set(), a);
    Vector q = run.forms(a);
    run.certify_pair(lagrangian.weights(), std::move(a), std::move(q), "multipliers");
    const double growth = steps <= kFewSteps ? kFastGrowth : kGrowth;
    if (steps < kNewtonSteps) {
      lagrangian.update_multipliers(growth);
    } else {
      lagrangian.scale_penalties(kShrinkage);
    }
    const bool better = run.best_relative_gap() < 0.9 * gap_before ||
                        run.best_dual() > dual_before + 0.1 * std::abs(dual_before);
    fruitless = better ? 0 : fruitless + 1;
    if (fruitless == kPatience) run.give_up();
  }
}

}  // namespace kernmix
