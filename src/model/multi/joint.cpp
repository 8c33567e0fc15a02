#include "kernmix/bank/plan.hpp"
#include "kernmix/solve_joint.hpp"
#include "loss/class_biases.hpp"
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
  CertifiedJoint point =
      exact.certify_joint(problem, solution.d, solution.A, solution.proof, without_end(context));
  const bool converged = solution.status == Status::converged;
  solution.certificate = point.certificate;
  solution.status = exact_status(point.certificate, solution.status, tolerance);
  return {std::move(solution), std::move(point), converged};
}

/// The best ones for the functions of d and the columns of A.
Vector joint_biases(const JointProblem& problem, const Vector& d, const std::vector<Vector>& a,
                    const Context& context) {
  if (problem.bias == Bias::none) return Vector(a.size(), 0.0);
  const Matrix panel = transposed(from_columns(a));
  const Matrix Z = transposed(problem.bank.combined(d)->times(panel, context));
  return best_class_biases(Z, problem.y, problem.C, {});
}

template <typename Biases>
MultiAnswer joint_as_answer(JointAnswer joint, const Biases& biases_at, MultiTrainResult& result) {
  JointSolution& solution = joint.solution;
  MultiAnswer answer;
  std::vector<Vector> a = columns_of(solution.A);
  std::vector<Vector> proof = columns_of(solution.proof);
  for (std::size_t u = 0; u < a.size(); ++u) {
    TaskAnswer& task = answer.tasks.emplace_back();
    task.a = std::move(a[u]);
    if (!proof.empty()) task.proof = std::move(proof[u]);
    task.bias = solution.certificate.bias[u];
  }
  answer.forms = std::move(joint.exact.Q);
  answer.gamma.assign(answer.tasks.size(), 1.0);
  finish_answer(solution, biases_at, answer, result);
  return answer;
}

}  // namespace

MultiAnswer solve_joint_classes(const TaskSet& set, const TrainingKernels& kernels,
                                const SolverOptions& options, const Context& context,
                                MultiTrainResult& result) {
  TasksShape shape = set.shape();
  shape.moments = options.moments;
  const auto memory = [&](const MemoryPlan&) {
    return expected_joint_memory(shape, set.regularizer);
  };
  KernelStore store(kernels.sources, kernel_names(set.kernels), memory,
                    {options.tolerance, set.largest_C(), kernels.assume_psd}, context, result.plan,
                    result.seconds);
  const JointProblem exact_problem = set.joint_problem(store.exact().bank());
  const auto attempt = [&](const SolverOptions& asked) {
    return solve_and_certify(
        result.seconds,
        [&] { return solve_joint(set.joint_problem(store.bank()), asked, store.solving()); },
        [&](JointSolution solution) {
          return certify_joint_exactly(store.exact(), exact_problem, std::move(solution),
                                       options.tolerance, context);
        });
  };
  const auto biases_at = [&](const Vector& d, const std::vector<Vector>& a) {
    return joint_biases(set.joint_problem(store.any_bank()), d, a, without_end(context));
  };
  return joint_as_answer(solve_until_exact(store, options, attempt), biases_at, result);
}

}  // namespace kernmix
