#include "kernmix/solve.hpp"

#include <fmt/format.h>

#include <limits>
#include <type_traits>

#include "base/blas_threads.hpp"
#include "kernmix/error.hpp"
#include "kernmix/two_stage.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solve/outer_solver.hpp"
#include "weights/objective.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// D is one point: nothing outside the SVM to solve, whatever solver was asked for.
void fixed_weights(const Regularizer& regularizer, Objective& run) {
  const Vector d = initial_weights(regularizer, run.kernels());
  double before = std::numeric_limits<double>::infinity();
  while (true) {
    run.evaluate(d, "svm");
    if (run.finished()) return;
    if (run.best_relative_gap() > 0.9 * before) run.give_up();
    before = run.best_relative_gap();
  }
}

template <typename S, typename R>
constexpr bool supported = HasFixedWeights<R> || S::template takes<R>;

std::string solver_name(const OuterSolver& solver) {
  return std::visit([](const auto& s) -> std::string { return s.name; }, solver);
}

std::string known_solvers() {
  std::string names = "auto";
  for (const std::string& name : solver_names()) names += ", " + name;
  return names;
}

/// Why no solver at all can take the pair; empty where one can.
std::string pair_refusal(const Loss& loss, const Regularizer& regularizer) {
  const bool bounded = visit([]<typename R>(const R&) { return HasBoundedDual<R>; }, regularizer);
  const bool separable = visit([]<typename L>(const L&) { return IsSeparableLoss<L>; }, loss);
  if (const auto* two_stage = get_if<TwoStage>(regularizer)) {
    const Target target = loss_target(loss);
    if (target == Target::none) {
      return fmt::format("{} has no targets, and {} finds its weights from them", loss_text(loss),
                         regularizer_text(regularizer));
    }
    if (std::holds_alternative<Easy>(two_stage->rule) && target != Target::classes) {
      return fmt::format("{} has no classes, and {} finds its weights from two", loss_text(loss),
                         regularizer_text(regularizer));
    }
  }
  if (on_distances(loss) && !weights_sum_to_one(regularizer)) {
    return fmt::format("{} needs kernel weights that sum to 1, which those of {} need not",
                       loss_text(loss), regularizer_text(regularizer));
  }
  if (!separable && bounded) {
    return fmt::format(
        "{} fixes the size of the dual vector and {} bounds it: the problem has no solution for "
        "most parameters",
        loss_text(loss), regularizer_text(regularizer));
  }
  return "";
}

bool takes_regularizer(const OuterSolver& solver, const Regularizer& regularizer) {
  return std::visit(
      [&]<typename S>(const S&) {
        return holds_for(regularizer.any(), []<typename R>() { return supported<S, R>; });
      },
      solver);
}

template <typename S, typename L>
constexpr bool takes_loss_of() {
  if constexpr (requires { S::template takes_loss<L>; }) {
    return S::template takes_loss<L>;
  } else {
    return true;
  }
}

bool takes_loss(const OuterSolver& solver, const Loss& loss) {
  return std::visit(
      [&]<typename S>(const S&) {
        return holds_for(loss.any(), []<typename L>() { return takes_loss_of<S, L>(); });
      },
      solver);
}

std::string needs_of_loss(const OuterSolver& solver) {
  return std::visit(
      []<typename S>(const S&) -> std::string {
        if constexpr (requires { S::needs_of_loss; }) return S::needs_of_loss;
        return "";
      },
      solver);
}

/// Why the solver does not take the pair; empty where it does.
std::string refusal(const OuterSolver& solver, const Loss& loss, const Regularizer& regularizer) {
  std::string pair = pair_refusal(loss, regularizer);
  if (!pair.empty()) return pair;
  if (!takes_regularizer(solver, regularizer)) {
    return fmt::format("solver {} does not take regularizer {}: it needs {}", solver_name(solver),
                       regularizer_text(regularizer),
                       std::visit([](const auto& s) { return s.needs; }, solver));
  }
  if (!has_fixed_weights(regularizer) && !takes_loss(solver, loss)) {
    return fmt::format("solver {} does not take loss {}: it needs {}", solver_name(solver),
                       loss_text(loss), needs_of_loss(solver));
  }
  return "";
}

/// `smo-mkl` before its name said which SMO it is.
constexpr const char* kOldName = "smo";
constexpr const char* kPresentName = PairUpdates::name;

OuterSolver choose(std::string name, const Loss& loss, const Regularizer& regularizer) {
  if (name == kOldName) name = kPresentName;
  std::string why;
  for (const OuterSolver& solver : kOuterSolvers) {
    const bool named = name == solver_name(solver);
    if (!named && name != "auto") continue;
    why = refusal(solver, loss, regularizer);
    if (why.empty()) return solver;
    if (named) throw ParameterError(why);
  }
  if (name == "auto") throw ParameterError(why);
  throw ParameterError(fmt::format("unknown solver '{}', known are {}", name, known_solvers()));
}

void check_bias(const OuterSolver& solver, const Regularizer& regularizer, Bias bias) {
  if (has_fixed_weights(regularizer)) return;
  std::visit(
      [&]<typename S>(const S& s) {
        if constexpr (requires { S::needs_bias; }) {
          if (bias == S::needs_bias) return;
          throw ParameterError(fmt::format("solver {} needs bias {}, got {}", s.name,
                                           bias_name(S::needs_bias), bias_name(bias)));
        }
      },
      solver);
}

}  // namespace

void check(const SolverOptions& options) {
  if (!(options.tolerance > 0.0 && options.tolerance < 1.0)) {
    throw ParameterError(fmt::format("tolerance must be > 0 and < 1, got {}", options.tolerance));
  }
  if (options.max_iterations < 1) {
    throw ParameterError(
        fmt::format("max_iterations must be >= 1, got {}", options.max_iterations));
  }
  check_without(options);
}

std::string status_name(Status status) {
  switch (status) {
    case Status::converged:
      return "converged";
    case Status::iteration_limit:
      return "iteration limit";
    case Status::time_limit:
      return "time limit";
    case Status::interrupted:
      return "interrupted";
    case Status::stalled:
      return "stalled";
  }
  return "unknown";
}

void check_solver(const Loss& loss, const Regularizer& regularizer, Bias bias,
                  const SolverOptions& options) {
  check(options);
  check_bias(choose(options.solver, loss, regularizer), regularizer, bias);
}

Solution solve(const Problem& problem, const SolverOptions& options, const Context& context) {
  check_solver(problem.loss, problem.regularizer, problem.bias, options);
  validate(problem);
  if (options.solver == kOldName) {
    context.tell(fmt::format("solver {} is called {}: the old name will be refused", kOldName,
                             kPresentName));
  }
  const auto* two_stage = get_if<TwoStage>(problem.regularizer);
  if (two_stage != nullptr && !two_stage->known()) {
    Problem second_stage = problem;
    second_stage.regularizer = choose_weights(problem, context);
    return solve(second_stage, options, context);
  }
  if (learns_threshold(problem.loss) && problem.diagonals.empty()) {
    Problem measured = problem;
    measured.diagonals = mean_diagonals(problem.bank);
    return solve(measured, options, context);
  }
  const OuterSolver solver = choose(options.solver, problem.loss, problem.regularizer);
  const SerialBlas serial_blas;
  const bool fixed = has_fixed_weights(problem.regularizer);
  Objective run(fixed ? "svm" : solver_name(solver), problem, options, context);
  if (fixed) {
    fixed_weights(problem.regularizer, run);
    return run.result();
  }
  std::visit(
      [&]<typename S, typename R>(const S&, const R& regularizer) {
        if constexpr (!HasFixedWeights<R> && supported<S, R>) S::run(regularizer, run);
      },
      solver, problem.regularizer.any());
  return run.result();
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const OuterSolver& solver : kOuterSolvers) names.push_back(solver_name(solver));
  return names;
}

std::vector<StrategyInfo> strategy_list() {
  std::vector<StrategyInfo> rows;
  for (const Strategy* one : kStrategies) rows.push_back({one->name, one->what});
  return rows;
}

std::vector<Support> support_matrix() {
  std::vector<Support> cells;
  for (const LossInfo& loss_row : losses()) {
    const Loss loss = parse_loss(loss_row.example);
    for (const RegularizerInfo& row : regularizers()) {
      const Regularizer regularizer = parse_regularizer(row.example);
      for (const OuterSolver& solver : kOuterSolvers) {
        const std::string why = refusal(solver, loss, regularizer);
        cells.push_back({loss_row.syntax, row.syntax, solver_name(solver), why.empty(), why});
      }
    }
  }
  return cells;
}

}  // namespace kernmix
