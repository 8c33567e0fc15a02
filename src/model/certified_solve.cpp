#include "model/certified_solve.hpp"

#include "kernmix/loss.hpp"
#include "kernmix/two_stage.hpp"

namespace kernmix {

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

CertifiedAnswer solve_certified(const Task& task, KernelStore& store,
                                const SolverOptions& options) {
  const Context& context = store.context();
  const Stopwatch first_stage;
  Task second_stage = task;
  second_stage.regularizer = choose_weights(task.problem(store.bank()), context);
  store.seconds().solve += first_stage.seconds();
  const Problem exact_problem = second_stage.problem(store.exact().bank());
  return solve_until_exact(store, options, [&](const SolverOptions& asked) {
    return solve_and_certify(
        store.seconds(),
        [&] { return solve(second_stage.problem(store.bank()), asked, store.solving()); },
        [&](Answer solution) {
          return certify_exactly(store.exact(), exact_problem, std::move(solution),
                                 options.tolerance, context);
        });
  });
}

}  // namespace kernmix
