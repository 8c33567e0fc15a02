#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/subset_source.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss.hpp"
#include "model/solving/certified_solve.hpp"
#include "model/solving/solve_tasks.hpp"

namespace kernmix {
namespace {

class SeparateTasks {
 public:
  SeparateTasks(const TaskSet& set, const TrainingKernels& kernels, const SolverOptions& options,
                const Context& context, TrainResult& result)
      : set_(set), kernels_(kernels), options_(options), context_(context), result_(result) {}

  TasksAnswer solve_all();

 private:
  [[nodiscard]] MemoryBeside memory(Index k) const;
  [[nodiscard]] KernelStore store(Index k, MemoryPlan& plan);
  void plan_largest_pair();
  [[nodiscard]] CertifiedAnswer solve_pair(Index k);
  [[nodiscard]] CertifiedAnswer untrained(Index k, const ReferenceKernels& exact) const;
  void add(Index k, CertifiedAnswer answer, TasksAnswer& all);
  void add_history(Index k, const Answer& solution);
  void keep_larger(const MemoryPlan& plan);

  const TaskSet& set_;
  const TrainingKernels& kernels_;
  const SolverOptions& options_;
  const Context& context_;
  TrainResult& result_;
  double seconds_before_ = 0.0;  ///< of solving other tasks
};

MemoryBeside SeparateTasks::memory(Index k) const {
  return [this, n = length(set_.task(k).y)](const MemoryPlan& planned) {
    SolverMemory needed = expected_solver_memory(set_.loss, set_.regularizer, n, planned, context_);
    if (!set_.single()) needed.workspace += kept_answer_bytes(set_.shape());
    return needed;
  };
}

/// Of the samples of task k, which other tasks share unless it is one of pairs.
KernelStore SeparateTasks::store(Index k, MemoryPlan& plan) {
  return {subset_sources(kernels_.sources, set_.task(k).rows),
          kernel_names(set_.kernels),
          memory(k),
          {options_.tolerance, set_.largest_C(), kernels_.assume_psd},
          context_,
          plan,
          result_.seconds};
}

/// Refuses what has no room before the first pair is solved.
void SeparateTasks::plan_largest_pair() {
  const auto size = [](const Task& task) { return task.y.size(); };
  const auto largest = std::ranges::max_element(set_.tasks, {}, size);
  plan_store(subset_sources(kernels_.sources, largest->rows), memory(largest - set_.tasks.begin()),
             {options_.tolerance, set_.largest_C(), kernels_.assume_psd}, context_, result_.plan);
  require_memory(result_.plan, context_);
  result_.plan.families.reset();
}

void SeparateTasks::keep_larger(const MemoryPlan& plan) {
  if (plan.total() > result_.plan.total()) result_.plan = plan;
}

/// The first weights of the regularizer and a = 0, or the point of A closest to it.
CertifiedAnswer SeparateTasks::untrained(Index k, const ReferenceKernels& exact) const {
  Problem problem = set_.alone(k, exact.bank());
  const Index M = problem.kernels();
  problem.regularizer = with_chosen_weights(
      problem.regularizer, Vector(set_.kernels.size(), 1.0 / static_cast<double>(M)));
  Answer solution;
  solution.d = initial_weights(problem.regularizer, M);
  solution.a.emplace_back(set_.task(k).y.size(), 0.0);
  make_feasible(dual_set(problem, 0), solution.a.front());
  CertifiedPoint point = exact.certify(problem, solution.d, solution.a, {}, without_end(context_));
  solution.certificate = point.certificate;
  solution.status = exact_status(point.certificate,
                                 context_.is_cancelled() ? Status::interrupted : Status::time_limit,
                                 options_.tolerance);
  return {std::move(solution), std::move(point), false};
}

CertifiedAnswer SeparateTasks::solve_pair(Index k) {
  MemoryPlan plan;
  plan.data_bytes = result_.plan.data_bytes;
  try {
    if (!context_.should_stop()) {
      KernelStore own = store(k, plan);
      keep_larger(plan);
      return solve_certified(set_, k, own, options_);
    }
  } catch (const ResourceError&) {
    if (!context_.should_stop()) throw;  // else time was up before the kernels were stored
  }
  const ReferenceKernels exact(subset_sources(kernels_.sources, set_.task(k).rows),
                               without_end(context_));
  return untrained(k, exact);
}

void SeparateTasks::add_history(Index k, const Answer& solution) {
  const Index first = result_.history.empty() ? 0 : result_.history.back().number + 1;
  for (const Iteration& step : solution.history) {
    Iteration now;
    now.number = first + step.number;
    now.primal = step.primal;
    now.dual = step.dual;
    now.relative_gap = step.relative_gap;
    now.seconds = seconds_before_ + step.seconds;
    now.svm_solves = result_.svm_solves + step.number + 1;
    now.bank_passes = result_.bank_passes + step.bank_passes;
    now.inner_iterations = result_.inner_iterations + step.inner_iterations;
    now.active_kernels = step.active_kernels;
    now.step = !set_.single() ? fmt::format("{}: {}", set_.name(k), step.step) : step.step;
    result_.history.push_back(std::move(now));
  }
  result_.svm_solves += length(solution.history);
  result_.bank_passes += solution.bank_passes;
  result_.inner_iterations += solution.inner_iterations;
}

void SeparateTasks::add(Index k, CertifiedAnswer answer, TasksAnswer& all) {
  Answer& solution = answer.solution;
  const Certificate& own = answer.exact.certificate;
  std::ranges::copy(solution.d, all.weights.row(k).begin());
  std::ranges::copy(answer.exact.Q.values, all.forms.row(k).begin());
  all.tasks.push_back({std::move(solution.a.front()),
                       solution.witness.empty() ? Vector() : std::move(solution.witness.front()),
                       own.only_bias(), own.primal, own.gap});
  if (all.solver.empty()) all.solver = solution.solver;
  add_bounds(own, all.certificate);
  if (result_.status == Status::converged) result_.status = solution.status;
  add_history(k, solution);
  seconds_before_ = result_.seconds.solve;
}

TasksAnswer SeparateTasks::solve_all() {
  const Index M = length(set_.kernels);
  TasksAnswer all;
  all.weights = Matrix(set_.size(), M);
  all.forms = Matrix(set_.size(), M);
  all.gamma.assign(set_.tasks.size(), 1.0);
  result_.status = Status::converged;
  if (set_.targets.scheme == TaskScheme::one_vs_one) {
    plan_largest_pair();
    for (Index k = 0; k < set_.size(); ++k) add(k, solve_pair(k), all);
    return all;
  }
  KernelStore common = store(0, result_.plan);
  for (Index k = 0; k < set_.size(); ++k) {
    const bool late = k > 0 && context_.should_stop();
    add(k, late ? untrained(k, common.exact()) : solve_certified(set_, k, common, options_), all);
  }
  return all;
}

}  // namespace

void add_bounds(const Bounds& bounds, Bounds& sum) {
  sum.primal += bounds.primal;
  sum.dual += bounds.dual;
  sum.gap += bounds.gap;
  sum.inner_gap += bounds.inner_gap;
  sum.outer_gap += bounds.outer_gap;
  sum.least_size += bounds.least_size;
  sum.slack += bounds.slack;
}

TasksAnswer solve_tasks(const TaskSet& set, const TrainingKernels& kernels,
                        const SolverOptions& options, const Context& context, TrainResult& result) {
  return set.sharing || set.joint() ? solve_coupled_tasks(set, kernels, options, context, result)
                                    : solve_separate_tasks(set, kernels, options, context, result);
}

TasksAnswer solve_separate_tasks(const TaskSet& set, const TrainingKernels& kernels,
                                 const SolverOptions& options, const Context& context,
                                 TrainResult& result) {
  return SeparateTasks(set, kernels, options, context, result).solve_all();
}

}  // namespace kernmix
