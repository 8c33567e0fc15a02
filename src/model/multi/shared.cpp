#include "kernmix/bank/plan.hpp"
#include "model/kernel_store.hpp"
#include "model/multi/answer.hpp"

namespace kernmix {
namespace {

struct SharedAnswer {
  SharedSolution solution;  ///< its certificate and status are those on the exact kernels
  SharedPoint exact;
  bool converged_on_bank = false;  ///< in the last attempt
};

SharedAnswer certify_shared_exactly(const ReferenceKernels& exact, const SharedProblem& problem,
                                    SharedSolution solution, double tolerance,
                                    const Context& context) {
  solution.a = feasible_duals(problem, solution.a);
  if (!solution.proof.empty()) solution.proof = feasible_duals(problem, solution.proof);
  SharedPoint point = exact.certify_shared(problem, solution.d, solution.a, solution.gamma,
                                           solution.proof, without_end(context));
  const bool converged = solution.status == Status::converged;
  solution.certificate = point.certificate;
  solution.status = exact_status(point.certificate, solution.status, tolerance);
  return {std::move(solution), std::move(point), converged};
}

/// The best ones for the functions of d and dual vectors of all tasks.
Vector task_biases(const SharedProblem& problem, const Vector& d, const std::vector<Vector>& a,
                   const Context& context) {
  const Matrix Z = problem.bank.combined(d)->times(panel_of(problem, a), context);
  Vector biases;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const SharedTask& task = problem.tasks[k];
    const Vector z = on_rows(task, Z.row(static_cast<Index>(k)));
    biases.push_back(loss_at(problem.loss, problem.bias, task.y, z, a[k], task.C).bias);
  }
  return biases;
}

template <typename Biases>
MultiAnswer as_answer(SharedAnswer shared, const Biases& biases_at, MultiTrainResult& result) {
  SharedSolution& solution = shared.solution;
  const SharedCertificate& certificate = shared.exact.certificate;
  MultiAnswer answer;
  for (std::size_t k = 0; k < solution.a.size(); ++k) {
    TaskAnswer& task = answer.tasks.emplace_back();
    task.a = std::move(solution.a[k]);
    if (!solution.proof.empty()) task.proof = std::move(solution.proof[k]);
    task.bias = certificate.bias[k];
    task.primal = certificate.task_primal[k];
    task.gap = certificate.task_gap[k];
  }
  answer.forms = std::move(shared.exact.Q);
  answer.gamma = solution.gamma;
  finish_answer(solution, biases_at, answer, result);
  return answer;
}

}  // namespace

MultiAnswer solve_shared_tasks(const TaskSet& set, const TrainingKernels& kernels,
                               const SolverOptions& options, const Context& context,
                               MultiTrainResult& result) {
  TasksShape shape = set.shape();
  shape.moments = options.moments;
  const auto memory = [&](const MemoryPlan& plan) {
    return expected_shared_memory(shape, set.loss, set.regularizer, plan, context);
  };
  KernelStore store(kernels.sources, kernel_names(set.kernels), memory,
                    {options.tolerance, set.largest_C(), kernels.assume_psd}, context, result.plan,
                    result.seconds);
  const SharedProblem exact_problem = set.problem(store.exact().bank());
  const auto attempt = [&](const SolverOptions& asked) {
    return solve_and_certify(
        result.seconds,
        [&] { return solve_shared(set.problem(store.bank()), asked, store.solving()); },
        [&](SharedSolution solution) {
          return certify_shared_exactly(store.exact(), exact_problem, std::move(solution),
                                        options.tolerance, context);
        });
  };
  const auto biases_at = [&](const Vector& d, const std::vector<Vector>& a) {
    return task_biases(set.problem(store.any_bank()), d, a, without_end(context));
  };
  return as_answer(solve_until_exact(store, options, attempt), biases_at, result);
}

}  // namespace kernmix
