#include "classical/smo_mkl.hpp"

#include <algorithm>
#include <limits>

#include "classical/pair_state.hpp"

namespace kernmix {
void smo_mkl(Vector start, const SmoothSupport& support, Objective& run) {
  constexpr Index kSteps = 100;  // smallest number between two certificates
  constexpr Index kChecks = 4;   // evaluations of the gap between two certificates
  constexpr int kPatience = 50;  // certificates without progress
  const Problem& problem = run.problem();
  const auto forms = static_cast<std::size_t>(2 * problem.samples() * problem.kernels());
  const Index rows =
      KernelRows::fitting(problem.bank, forms * sizeof(double),
                          "solver smo-mkl keeps K_m a and rows of every kernel", run.context());
  run.certify_zero(std::move(start));
  if (run.finished()) return;

  PairState state(problem, run.dual_set(), support, rows, run.context());
  const Index round = std::max(problem.samples(), kSteps);
  int fruitless = 0;
  while (!run.finished()) {
    const double before = run.best_relative_gap();
    Index steps = 0;
    while (steps < round && !run.context().should_stop()) {
      if (!state.step()) break;
      ++steps;
      if (steps % (round / kChecks) == 0 && state.relative_gap() <= run.tolerance()) break;
    }
    run.count_inner(steps);
    state.refresh();
    Vector q = run.forms(state.a());
    Vector d(q.size());
    support.maximizing_weights(q, d);
    run.certify_pair(std::move(d), state.a(), std::move(q), "pairs");
    fruitless = run.best_relative_gap() < 0.999 * before ? 0 : fruitless + 1;
    if (steps == 0 || fruitless == kPatience) run.give_up();
  }
}

}  // namespace kernmix
