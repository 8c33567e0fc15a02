#include "kernmix/solve_joint.hpp"

#include <fmt/format.h>

#include "base/blas_threads.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "weights/memory.hpp"
#include "weights/newton.hpp"
#include "weights/tasks/joint_run.hpp"

namespace kernmix {
namespace {

constexpr const char* kJointNewton = "newton";

/// D is one point: one SVM of all classes.
void joint_fixed_weights(const Regularizer& regularizer, JointRun& run) {
  constexpr int kTrials = 5;
  const Vector d = initial_weights(regularizer, run.kernels());
  for (int k = 0; k < kTrials && !run.finished(); ++k) run.evaluate(d, "svm");
  run.give_up();
}

/// Why no solver takes the regularizer; empty where one does.
std::string joint_refusal(const Regularizer& regularizer) {
  const std::string text = regularizer_text(regularizer);
  if (is<TwoStage>(regularizer)) {
    return fmt::format("{} finds its weights from the targets of one task, not of all classes",
                       text);
  }
  return visit(
      [&]<typename R>(const R&) -> std::string {
        if constexpr (HasSaddleWeights<R>) {
          return fmt::format("{} has no convex set of weights that classes could share", text);
        } else if constexpr (HasFixedWeights<R> || Newton::takes<R>) {
          return "";
        } else {
          return fmt::format("solver {} does not take regularizer {}: it needs {}", kJointNewton,
                             text, Newton::needs);
        }
      },
      regularizer);
}

/// K(d) in double precision and a product with A, beside some matrices of n x K.
std::size_t joint_bytes(const JointProblem& problem) {
  constexpr Index kMatrices = 16;
  const Index n = problem.samples();
  return static_cast<std::size_t>(n * n + kMatrices * n * problem.classes) * sizeof(double);
}

}  // namespace

std::vector<std::string> joint_solver_names() { return {kJointNewton}; }

void check_joint_solver(const Regularizer& regularizer, const SolverOptions& options) {
  check(options);
  if (options.solver != "auto" && options.solver != kJointNewton) {
    throw ParameterError(
        fmt::format("unknown solver '{}' for classes trained together, known are auto, {}",
                    options.solver, kJointNewton));
  }
  const std::string why = joint_refusal(regularizer);
  if (!why.empty()) throw ParameterError(why);
}

JointSolution solve_joint(const JointProblem& problem, const SolverOptions& options,
                          const Context& context) {
  check_joint_solver(problem.regularizer, options);
  validate(problem);
  require_room(problem.bank, joint_bytes(problem),
               "training classes together keeps the combined kernel", context);
  const SerialBlas serial_blas;
  const bool fixed = has_fixed_weights(problem.regularizer);
  JointRun run(fixed ? "svm" : kJointNewton, problem, options, context);
  if (fixed) {
    joint_fixed_weights(problem.regularizer, run);
  } else {
    newton(problem.regularizer, run);
  }
  return run.result();
}

}  // namespace kernmix
