#include "model/solving/certified_solve.hpp"

#include <fmt/format.h>

#include "kernmix/solve.hpp"
#include "kernmix/two_stage.hpp"
#include "model/solving/no_time.hpp"
#include "solve/append_history.hpp"

namespace kernmix {
namespace {

/// Keeps the better answer, and the history, snapshots and counts of both.
void add_attempt(CertifiedAnswer& best, CertifiedAnswer next, double seconds_before) {
  Answer both = std::move(best.solution);
  for (Snapshot moment : next.solution.moments) {
    moment.seconds += seconds_before;
    moment.svm_solves += both.svm_solves;
    both.moments.push_back(std::move(moment));
  }
  append_history(next.solution, seconds_before, both);
  best.converged_on_bank = next.converged_on_bank;
  if (next.exact.certificate.relative_gap() <= best.exact.certificate.relative_gap()) {
    next.solution.history = std::move(both.history);
    next.solution.moments = std::move(both.moments);
    next.solution.svm_solves = both.svm_solves;
    next.solution.bank_passes = both.bank_passes;
    next.solution.inner_iterations = both.inner_iterations;
    best = std::move(next);
  } else {
    best.solution = std::move(both);
  }
}

/// Whether another attempt may reduce the gap: yes for a gap hidden by stored kernels, no if the
/// solver stalled on them or only rounding remains.
bool worth_another(const CertifiedAnswer& best, double tolerance, const Context& context) {
  if (best.solution.status != Status::stalled || !best.converged_on_bank) return false;
  if (context.should_stop()) return false;
  const Bounds& found = best.exact.certificate;
  if (found.slack > tolerance * found.size()) {
    context.tell(fmt::format(
        "rounding alone leaves a relative gap of {:.3g}: the tolerance {:.3g} is out of reach",
        found.slack / found.size(), tolerance));
    return false;
  }
  context.tell(fmt::format("relative gap {:.3g} on the exact kernels misses {:.3g}: solving again",
                           found.relative_gap(), tolerance));
  return true;
}

}  // namespace

CertifiedAnswer certify_exactly(const ReferenceKernels& exact, const Problem& problem,
                                Answer solution, double tolerance, const Context& context) {
  solution.a = feasible_duals(problem, solution.a);
  if (!solution.witness.empty()) solution.witness = feasible_duals(problem, solution.witness);
  CertifiedPoint point = exact.certify(problem, solution.d, solution.a, solution.witness,
                                       without_end(context), solution.gamma);
  const bool converged = solution.status == Status::converged;
  solution.certificate = point.certificate;
  solution.status = exact_status(point.certificate, solution.status, tolerance);
  return {std::move(solution), std::move(point), converged};
}

CertifiedAnswer solve_until_exact(
    KernelStore& store, const SolverOptions& options,
    const std::function<CertifiedAnswer(const SolverOptions&)>& attempt) {
  constexpr int most_attempts = 3;
  constexpr double tightening = 0.25;
  SolverOptions tighter = options;
  CertifiedAnswer best = attempt(options);
  for (int k = 1; k < most_attempts; ++k) {
    if (!worth_another(best, options.tolerance, store.context())) break;
    tighter.tolerance *= tightening;
    const double seconds_before = store.seconds().solve;
    try {
      if (!store.refine()) break;
      add_attempt(best, attempt(tighter), seconds_before);
    } catch (const NoTimeForPass&) {
      break;
    } catch (const ResourceError&) {
      if (store.context().is_abandoned()) throw;
      break;  // out of time or memory: the best answer stays
    }
  }
  return best;
}

CertifiedAnswer solve_certified(const std::function<Problem(const KernelBank&)>& problem,
                                KernelStore& store, const SolverOptions& options) {
  Timings& seconds = store.seconds();
  const Stopwatch first_stage;
  const Regularizer chosen = choose_weights(problem(store.bank()), store.context());
  seconds.solve += first_stage.seconds();
  const auto second_stage = [&](const KernelBank& bank) {
    Problem own = problem(bank);
    own.regularizer = chosen;
    return own;
  };
  const Problem exact = second_stage(store.exact().bank());
  return solve_until_exact(store, options, [&](const SolverOptions& asked) {
    const Stopwatch solving;
    Answer solution = solve(second_stage(store.bank()), asked, store.solving());
    seconds.solve += solving.seconds();
    const Stopwatch certifying;
    store.return_freed();
    CertifiedAnswer answer = certify_exactly(store.exact(), exact, std::move(solution),
                                             options.tolerance, store.context());
    store.return_freed();
    seconds.certify += certifying.seconds();
    return answer;
  });
}

CertifiedAnswer solve_stored(const std::function<Problem(const KernelBank&)>& problem,
                             KernelStore& store, const SolverOptions& options) {
  const Stopwatch solving;
  Problem own = problem(store.bank());
  own.regularizer = choose_weights(own, store.context());
  Answer solution = solve(own, options, store.solving());
  store.seconds().solve += solving.seconds();
  const Stopwatch certifying;
  const Context owed = without_end(store.context());
  solution.a = feasible_duals(own, solution.a);
  CertifiedPoint point = certify(own, solution.d, solution.a, owed, solution.gamma);
  if (!solution.witness.empty()) {
    solution.witness = feasible_duals(own, solution.witness);
    point.certificate.raise_dual(certify_dual(own, solution.witness, owed, solution.gamma));
  }
  solution.certificate = point.certificate;
  store.seconds().certify += certifying.seconds();
  const bool converged = solution.status == Status::converged;
  return {std::move(solution), std::move(point), converged};
}

}  // namespace kernmix
