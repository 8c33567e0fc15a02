#include "kernmix/solve.hpp"

#include <fmt/format.h>

#include <chrono>
#include <limits>

#include "base/blas_threads.hpp"
#include "base/names.hpp"
#include "kernmix/bank/beyond_memory.hpp"
#include "kernmix/error.hpp"
#include "kernmix/two_stage.hpp"
#include "regularizer/any.hpp"
#include "solve/outer_solver.hpp"
#include "solve/separate.hpp"
#include "solve/solver_table.hpp"
#include "weights/memory.hpp"
#include "weights/strategies/strategies.hpp"
#include "weights/while_time_lasts.hpp"

namespace kernmix {
namespace {

/// D is one point: only the SVM has to be solved, for any solver.
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

/// Of training that begins when the time is over.
constexpr std::chrono::milliseconds kMoment(200);

/// Whether one pass takes longer than a moment: over kernels that are evaluated in each pass, or
/// over stored ones, of which a moment reads this much.
bool takes_longer(const KernelBank& bank) {
  constexpr std::size_t read_in_a_moment = std::size_t{1} << 29;
  return evaluation_seconds(bank) > std::chrono::duration<double>(kMoment).count() ||
         bank.bytes() > read_in_a_moment;
}

/// One SVM, as far as it comes in a moment, where the time was over before its first step: better
/// than an answer of zeros, which then is no iteration.
Answer trained_for_a_moment(Objective& J, const Context& context) {
  J.allow(kMoment);
  while_time_lasts(J, context, [&] { J.evaluate(Vector(J.best_weights()), "svm"); });
  Answer answer = J.result();
  answer.history.erase(answer.history.begin(), answer.history.end() - 1);
  answer.history.front().number = 0;
  return answer;
}

Answer solve_by(const Solver& solver, const Problem& problem, const SolverOptions& options,
                const Context& context, Late late) {
  const SerialBlas serial_blas;
  const bool fixed = has_fixed_weights(problem.regularizer);
  Objective J(fixed ? "svm" : solver.name, problem, options, context);
  while_time_lasts(J, context, [&] {
    if (fixed) return fixed_weights(problem.regularizer, J);
    solver.run(problem.regularizer, J);
  });
  const bool in_time = !J.untrained() || !context.should_stop();
  if (in_time || late == Late::untrained || takes_longer(problem.bank)) return J.result();
  Answer answer = trained_for_a_moment(J, context);
  if (answer.status != Status::converged) {
    answer.status = context.is_cancelled() ? Status::interrupted : Status::time_limit;
  }
  return answer;
}

/// K(d) in double precision and a product with A, in addition to several n x K matrices.
std::size_t bytes_of_classes(const Problem& problem) {
  constexpr Index kMatrices = 16;
  const Index n = problem.samples();
  return static_cast<std::size_t>(n * n + kMatrices * n * problem.functions()) * sizeof(double);
}

void check_rows(const Problem& problem) {
  if (!joins_classes(problem.loss) || problem.task(0).rows.empty()) return;
  throw ParameterError(
      "classes trained together have no rows of their own; solve on KernelBank::restricted()");
}

/// Several tasks with separate weights, or one on some of the samples.
bool is_split(const Problem& problem) {
  if (problem.coupling != Coupling::separate || joins_classes(problem.loss)) return false;
  return problem.size() > 1 || !problem.task(0).rows.empty();
}

constexpr Named<Status> status_names[] = {
    {Status::converged, "converged"},   {Status::iteration_limit, "iteration limit"},
    {Status::time_limit, "time limit"}, {Status::interrupted, "interrupted"},
    {Status::stalled, "stalled"},       {Status::stopping_rule, "stopping rule"}};

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

std::string status_name(Status status) { return name_in(status_names, status); }

ProblemKind kind_of(const Problem& problem) {
  return {problem.loss, problem.regularizer, problem.bias, problem.coupling};
}

Answer solve(const Problem& problem, const SolverOptions& options, const Context& context) {
  return solve_by_time(problem, options, context, Late::trained_for_a_moment);
}

Answer solve_by_time(const Problem& problem, const SolverOptions& options, const Context& context,
                     Late late) {
  check_solver(kind_of(problem), options);
  validate(problem);
  check_rows(problem);
  if (options.solver == old_solver_name) {
    context.tell(fmt::format("solver {} is called {}: the old name will be refused",
                             old_solver_name, PairUpdates::name));
  }
  if (is_split(problem)) return solve_separately(problem, options, context);
  const auto* two_stage = get_if<TwoStage>(problem.regularizer);
  if (two_stage != nullptr && !two_stage->known()) {
    Problem second_stage = problem;
    second_stage.regularizer = choose_weights(problem, context);
    return solve_by_time(second_stage, options, context, late);
  }
  if (learns_threshold(problem.loss) && problem.diagonals.empty()) {
    Problem measured = problem;
    measured.diagonals = mean_diagonals(problem.bank);
    return solve_by_time(measured, options, context, late);
  }
  if (joins_classes(problem.loss)) {
    require_room(problem.bank, bytes_of_classes(problem),
                 "training classes together keeps the combined kernel", context);
  }
  return solve_by(choose(kind_of(problem), options.solver), problem, options, context, late);
}

}  // namespace kernmix
