#include "kernmix/solve_shared.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "base/blas_threads.hpp"
#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solve/shared_solver.hpp"

namespace kernmix {
namespace {

/// D is one point: every task on its own at these weights.
void shared_fixed_weights(SharedRun& run) {
  run.tasks().move_to(initial_weights(run.problem().regularizer, run.problem().kernels()));
  run.keep_upper();
  run.record("svm");
}

std::string shared_solver_name(const SharedSolver& solver) {
  return std::visit([](const auto& s) -> std::string { return s.name; }, solver);
}

std::string known_shared_solvers() {
  std::string names = "auto";
  for (const std::string& name : shared_solver_names()) names += ", " + name;
  return names;
}

/// Why no solver at all takes the problem; empty where one may.
std::string shared_refusal(const Loss& loss, const Regularizer& regularizer) {
  if (loss_target(loss) == Target::none) {
    return fmt::format("{} has no targets, so there are no tasks to share kernel weights",
                       loss_text(loss));
  }
  const std::string text = regularizer_text(regularizer);
  if (is<TwoStage>(regularizer)) {
    return fmt::format("{} finds its weights from the targets of one task", text);
  }
  if (visit([]<typename R>(const R&) { return HasSaddleWeights<R>; }, regularizer)) {
    return fmt::format("{} has no convex set of weights that tasks could share", text);
  }
  const bool separable = visit([]<typename L>(const L&) { return IsSeparableLoss<L>; }, loss);
  if (!separable && visit([]<typename R>(const R&) { return HasBoundedDual<R>; }, regularizer)) {
    return fmt::format("{} fixes the size of the dual vector and {} bounds it", loss_text(loss),
                       text);
  }
  return "";
}

std::string shared_refusal(const SharedSolver& solver, Sharing sharing,
                           const Regularizer& regularizer) {
  if (has_fixed_weights(regularizer)) return "";
  return std::visit(
      [&]<typename S>(const S& s) -> std::string {
        if (!S::takes(sharing)) {
          return fmt::format("solver {} does not take sharing {}", s.name, sharing_name(sharing));
        }
        const auto taken = []<typename R>() { return S::template takes_weights<R>; };
        if (holds_for(regularizer.any(), taken)) return "";
        return fmt::format("solver {} does not take regularizer {}: it needs {}", s.name,
                           regularizer_text(regularizer), s.needs);
      },
      solver);
}

SharedSolver choose_shared(const std::string& name, Sharing sharing, const Loss& loss,
                           const Regularizer& regularizer) {
  std::string why;
  bool known = name == "auto";
  for (const SharedSolver& solver : kSharedSolvers) {
    if (name != "auto" && name != shared_solver_name(solver)) continue;
    known = true;
    why = shared_refusal(loss, regularizer);
    if (why.empty()) why = shared_refusal(solver, sharing, regularizer);
    if (why.empty()) return solver;
  }
  if (known) throw ParameterError(why);
  throw ParameterError(fmt::format("unknown solver '{}' for shared weights, known are {}", name,
                                   known_shared_solvers()));
}

}  // namespace

std::vector<std::string> shared_solver_names() {
  std::vector<std::string> names;
  for (const SharedSolver& solver : kSharedSolvers) names.push_back(shared_solver_name(solver));
  return names;
}

std::vector<Support> shared_support_matrix(Sharing sharing) {
  std::vector<Support> cells;
  for (const LossInfo& loss_row : losses()) {
    const Loss loss = parse_loss(loss_row.example);
    for (const RegularizerInfo& row : regularizers()) {
      const Regularizer regularizer = parse_regularizer(row.example);
      for (const SharedSolver& solver : kSharedSolvers) {
        std::string why = shared_refusal(loss, regularizer);
        if (why.empty()) why = shared_refusal(solver, sharing, regularizer);
        const std::string name = shared_solver_name(solver);
        cells.push_back({loss_row.syntax, row.syntax, name, why.empty(), why});
      }
    }
  }
  return cells;
}

void check_shared_solver(Sharing sharing, const Loss& loss, const Regularizer& regularizer,
                         const SolverOptions& options) {
  check(options);
  static_cast<void>(choose_shared(options.solver, sharing, loss, regularizer));
}

SharedSolution solve_shared(const SharedProblem& problem, const SolverOptions& options,
                            const Context& context) {
  check_shared_solver(problem.sharing, problem.loss, problem.regularizer, options);
  validate(problem);
  if (learns_threshold(problem.loss) && problem.diagonals.empty()) {
    SharedProblem measured = problem;
    measured.diagonals = mean_diagonals(problem.bank);
    return solve_shared(measured, options, context);
  }
  const SharedSolver solver =
      choose_shared(options.solver, problem.sharing, problem.loss, problem.regularizer);
  const SerialBlas serial_blas;
  const bool fixed = has_fixed_weights(problem.regularizer);
  SharedRun run(fixed ? "svm" : shared_solver_name(solver), problem, options, context);
  if (fixed) {
    shared_fixed_weights(run);
    return run.result();
  }
  std::visit(
      [&]<typename S, typename R>(const S&, const R& regularizer) {
        if constexpr (!HasFixedWeights<R> && S::template takes_weights<R>) S::run(regularizer, run);
      },
      solver, problem.regularizer.any());
  return run.result();
}

}  // namespace kernmix
