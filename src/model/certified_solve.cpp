#include "model/certified_solve.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernmix/bounded_certificate.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss/feasible.hpp"
#include "kernmix/solver/two_stage.hpp"
#include "model/stopwatch.hpp"
#include "solver/memory.hpp"

namespace kernmix {
namespace {

constexpr int most_attempts = 3;
constexpr double tightening = 0.25;
/// Below this tolerance single precision kernels would not do.
constexpr double single_precision_tolerance = 1e-4;

/// The certificate is owed however the solver ended: it is not cut short by a deadline.
Context without_end(Context context) {
  context.deadline.reset();
  context.cancelled = nullptr;
  return context;
}

std::unique_ptr<KernelBank> stored_bank(const Task& task, const TrainingKernels& kernels,
                                        const BankOptions& options, const Context& context,
                                        MemoryPlan& plan) {
  const std::size_t data_bytes = plan.data_bytes;
  plan = plan_bank(kernels.sources, options, context);
  const SolverMemory solver =
      expected_solver_memory(task.loss, task.regularizer, length(task.y), plan);
  plan.data_bytes = data_bytes;
  plan.combined_bytes = solver.combined;
  plan.workspace_bytes = std::max(plan.workspace_bytes, solver.workspace);
  std::vector<std::string> names;
  for (const KernelDescription& kernel : task.kernels) names.push_back(kernel.name());
  auto bank = build_bank(kernels.sources, names, options, plan, context);
  plan.families.reset();  // the bank has them now
  return bank;
}

/// Certifies on the kernels as given; the status follows from that certificate.
CertifiedAnswer certify_exactly(const ReferenceKernels& exact, const Problem& problem,
                                Solution solution, double tolerance, const Context& context) {
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y, problem.C);
  make_feasible(set, solution.a);
  if (!solution.proof.empty()) make_feasible(set, solution.proof);
  CertifiedPoint point =
      exact.certify(problem, solution.d, solution.a, solution.proof, without_end(context));
  solution.certificate = point.certificate;
  if (point.certificate.relative_gap() <= tolerance) {
    solution.status = Status::converged;
  } else if (solution.status == Status::converged) {
    solution.status = Status::stalled;
  }
  return {std::move(solution), std::move(point)};
}

/// Keeps the better answer, and the history and counts of both.
void add_attempt(CertifiedAnswer& best, CertifiedAnswer next, double seconds_before) {
  const Index steps = length(best.solution.history);
  const Index passes = best.solution.bank_passes;
  const Index inner = best.solution.inner_iterations;
  std::vector<Iteration> history = std::move(best.solution.history);
  for (Iteration step : next.solution.history) {
    step.number += steps;
    step.bank_passes += passes;
    step.inner_iterations += inner;
    step.seconds += seconds_before;
    history.push_back(std::move(step));
  }
  const Index all_passes = passes + next.solution.bank_passes;
  const Index all_inner = inner + next.solution.inner_iterations;
  const bool better =
      next.exact.certificate.relative_gap() <= best.exact.certificate.relative_gap();
  if (better) best = std::move(next);
  best.solution.history = std::move(history);
  best.solution.bank_passes = all_passes;
  best.solution.inner_iterations = all_inner;
}

}  // namespace

CertifiedAnswer solve_certified(const Task& task, const TrainingKernels& kernels,
                                const SolverOptions& options, const Context& context,
                                MemoryPlan& plan, Timings& seconds) {
  BankOptions bank_options;
  bank_options.double_precision = options.tolerance < single_precision_tolerance;
  SolverOptions attempt_options = options;

  const Stopwatch building;
  auto bank = stored_bank(task, kernels, bank_options, context, plan);
  seconds.kernels += building.seconds();

  const Stopwatch first_stage;
  Task second_stage = task;
  second_stage.regularizer = choose_weights(task.problem(*bank), context);
  seconds.solve += first_stage.seconds();
  const ReferenceKernels exact(kernels.sources, without_end(context));
  const Problem exact_problem = second_stage.problem(exact.bank());
  if (exact.bounded()) {
    context.tell(
        "too many entries to evaluate: the certificate bounds them by families of kernels");
  }

  bool converged_on_bank = false;
  const auto attempt = [&] {
    const Stopwatch solving;
    Solution solution = solve(second_stage.problem(*bank), attempt_options, context);
    converged_on_bank = solution.status == Status::converged;
    seconds.solve += solving.seconds();
    const Stopwatch certifying;
    auto answer =
        certify_exactly(exact, exact_problem, std::move(solution), options.tolerance, context);
    seconds.certify += certifying.seconds();
    return answer;
  };

  CertifiedAnswer best = attempt();
  for (int k = 1; k < most_attempts; ++k) {
    // Only what the stored kernels hid is worth another attempt, not a solver that stalled on them.
    if (best.solution.status != Status::stalled || !converged_on_bank) break;
    if (context.should_stop()) break;
    context.tell(
        fmt::format("relative gap {:.3g} on the exact kernels misses {:.3g}: solving again",
                    best.exact.certificate.relative_gap(), options.tolerance));
    attempt_options.tolerance *= tightening;
    if (!bank_options.double_precision) {
      bank_options.double_precision = true;
      bank.reset();
      const Stopwatch rebuilding;
      try {
        bank = stored_bank(task, kernels, bank_options, context, plan);
      } catch (const ResourceError& failure) {
        context.tell(fmt::format("no second attempt in double precision: {}",
                                 context.should_stop() ? "no time is left" : failure.what()));
        break;
      }
      seconds.kernels += rebuilding.seconds();
    }
    const double seconds_before = seconds.solve;
    add_attempt(best, attempt(), seconds_before);
  }
  return best;
}

}  // namespace kernmix
