#include "model/solving/certified_solve.hpp"

#include "kernmix/loss.hpp"
#include "kernmix/solve.hpp"
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

CertifiedAnswer solve_certified(const TaskSet& set, Index k, KernelStore& store,
                                const SolverOptions& options) {
  const Context& context = store.context();
  const Stopwatch first_stage;
  const Regularizer chosen = choose_weights(set.alone(k, store.bank()), context);
  store.seconds().solve += first_stage.seconds();
  const auto second_stage = [&](const KernelBank& bank) {
    Problem problem = set.alone(k, bank);
    problem.regularizer = chosen;
    return problem;
  };
  const Problem exact_problem = second_stage(store.exact().bank());
  return solve_until_exact(store, options, [&](const SolverOptions& asked) {
    return solve_and_certify(
        store.seconds(), [&] { return solve(second_stage(store.bank()), asked, store.solving()); },
        [&](Answer solution) {
          return certify_exactly(store.exact(), exact_problem, std::move(solution),
                                 options.tolerance, context);
        });
  });
}

}  // namespace kernmix
