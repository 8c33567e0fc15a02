#include "kernmix/solve.hpp"
#include "model/solving/certified_solve.hpp"
#include "model/solving/solve_tasks.hpp"
#include "problem/task_loss.hpp"
#include "weights/memory.hpp"

namespace kernmix {
namespace {

/// The best ones for the functions of d and dual vectors of all tasks: one for each function.
Vector best_biases(const Problem& problem, const Vector& d, const std::vector<Vector>& a,
                   const Context& context) {
  const Matrix Z = problem.bank.combined(d)->times(panel_of(problem, a), context);
  const std::vector<Vector> z = from_panel(problem, Z);
  Vector biases;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const Vector own = TaskLoss(problem, static_cast<Index>(k)).at(z[k], a[k]).bias;
    biases.insert(biases.end(), own.begin(), own.end());
  }
  return biases;
}

MomentAnswer moment_of(const Problem& problem, Snapshot moment, const Context& context) {
  const Vector biases = best_biases(problem, moment.d, moment.a, context);
  std::vector<Vector> a = by_functions(problem, moment.a);
  MomentAnswer answer{moment.seconds, moment.svm_solves, std::move(moment.d), {}};
  for (std::size_t u = 0; u < a.size(); ++u) {
    answer.tasks.push_back({std::move(a[u]), {}, biases[u], 0.0, 0.0});
  }
  return answer;
}

/// The tasks of a joint model are its classes, which have no problem of their own.
TasksAnswer as_answer(const Problem& problem, CertifiedAnswer found) {
  Answer& solution = found.solution;
  const Certificate& certificate = found.exact.certificate;
  std::vector<Vector> a = by_functions(problem, solution.a);
  std::vector<Vector> witness = by_functions(problem, solution.witness);
  TasksAnswer answer;
  for (std::size_t row = 0; row < a.size(); ++row) {
    const auto functions = static_cast<std::size_t>(problem.functions);
    const std::size_t k = row / functions;
    TaskAnswer& task = answer.tasks.emplace_back();
    task.a = std::move(a[row]);
    if (!witness.empty()) task.witness = std::move(witness[row]);
    task.bias = certificate.bias[k][row % functions];
    task.primal = functions > 1 ? 0.0 : certificate.task_primal[k];
    task.gap = functions > 1 ? 0.0 : certificate.task_gap[k];
  }
  answer.forms = std::move(found.exact.Q);
  answer.gamma = problem.functions > 1 ? Vector(answer.tasks.size(), 1.0) : solution.gamma;
  answer.weights = Matrix(1, length(solution.d));
  answer.weights.values = std::move(solution.d);
  answer.certificate = certificate;
  answer.solver = solution.solver;
  return answer;
}

}  // namespace

TasksAnswer solve_coupled_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                const SolverOptions& options, const Context& context,
                                TrainResult& result) {
  TasksShape shape = set.shape();
  shape.moments = options.moments;
  const auto memory = [&](const MemoryPlan& plan) {
    return set.joint() ? expected_joint_memory(shape, set.regularizer)
                       : expected_shared_memory(shape, set.loss, set.regularizer, plan, context);
  };
  KernelStore store(kernels.sources, kernel_names(set.kernels), memory,
                    {options.tolerance, set.largest_C(), kernels.assume_psd}, context, result.plan,
                    result.seconds);
  const Problem exact_problem = set.problem(store.exact().bank());
  CertifiedAnswer found = solve_until_exact(store, options, [&](const SolverOptions& asked) {
    return solve_and_certify(
        result.seconds, [&] { return solve(set.problem(store.bank()), asked, store.solving()); },
        [&](Answer solution) {
          return certify_exactly(store.exact(), exact_problem, std::move(solution),
                                 options.tolerance, context);
        });
  });
  Answer& solution = found.solution;
  result.status = solution.status;
  result.history = std::move(solution.history);
  result.svm_solves = solution.svm_solves;
  result.inner_iterations = solution.inner_iterations;
  result.bank_passes = solution.bank_passes;
  std::vector<MomentAnswer> moments;
  for (Snapshot& moment : solution.moments) {
    moments.push_back(
        moment_of(set.problem(store.any_bank()), std::move(moment), without_end(context)));
  }
  TasksAnswer answer = as_answer(exact_problem, std::move(found));
  answer.moments = std::move(moments);
  return answer;
}

}  // namespace kernmix
