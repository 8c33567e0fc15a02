#include "kernmix/solver/solve_joint.hpp"
#include "model/kernel_store.hpp"
#include "model/multi/answer.hpp"

namespace kernmix {
namespace {

struct JointAnswer {
  JointSolution solution;  ///< its certificate and status are those on the exact kernels
  CertifiedJoint exact;
  bool converged_on_bank = false;  ///< in the last attempt
};

JointAnswer certify_joint_exactly(const ReferenceKernels& exact, const JointProblem& problem,
                                  JointSolution solution, double tolerance,
                                  const Context& context) {
  solution.A = feasible_joint_dual(problem, std::move(solution.A));
  if (solution.proof.rows > 0) {
    solution.proof = feasible_joint_dual(problem, std::move(solution.proof));
  }
  CertifiedJoint point = exact.certify_joint(problem, solution.d, solution.A, solution.proof,
                                             without_end(context));
  const bool converged = solution.status == Status::converged;
  solution.certificate = point.certificate;
  solution.status = exact_status(point.certificate, solution.status, tolerance);
  return {std::move(solution), std::move(point), converged};
}

MultiAnswer joint_as_answer(JointAnswer joint, MultiTrainResult& result) {
  JointSolution& solution = joint.solution;
  MultiAnswer answer;
  for (Index u = 0; u < solution.A.cols; ++u) {
    TaskAnswer& task = answer.tasks.emplace_back();
    task.a = column_of(solution.A, u);
    if (solution.proof.rows > 0) task.proof = column_of(solution.proof, u);
    task.bias = solution.certificate.bias[static_cast<std::size_t>(u)];
  }
  answer.weights = Matrix(1, length(solution.d));
  answer.weights.values = solution.d;
  answer.forms = std::move(joint.exact.Q);
  answer.gamma.assign(answer.tasks.size(), 1.0);
  answer.certificate = solution.certificate;
  answer.solver = solution.solver;
  add_work(solution, result);
  return answer;
}

}  // namespace

Vector column_of(const Matrix& A, Index u) {
  Vector column;
  for (Index i = 0; i < A.rows; ++i) column.push_back(A(i, u));
  return column;
}

MultiAnswer solve_joint_classes(const TaskSet& set, const TrainingKernels& kernels,
                                const SolverOptions& options, const Context& context,
                                MultiTrainResult& result) {
  const auto memory = [&](const MemoryPlan&) { return expected_joint_memory(set.shape()); };
  KernelStore store(kernels.sources, kernel_names(set.kernels), memory, options.tolerance, context,
                    result.plan, result.seconds);
  const JointProblem exact_problem = set.joint_problem(store.exact().bank());
  const auto attempt = [&](const SolverOptions& asked) {
    return solve_and_certify(
        result.seconds,
        [&] { return solve_joint(set.joint_problem(store.bank()), asked, context); },
        [&](JointSolution solution) {
          return certify_joint_exactly(store.exact(), exact_problem, std::move(solution),
                                       options.tolerance, context);
        });
  };
  return joint_as_answer(solve_until_exact(store, options, attempt), result);
}

}  // namespace kernmix
