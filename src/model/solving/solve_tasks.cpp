#include "model/solving/solve_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/memory/room.hpp"
#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "model/solving/no_time.hpp"
#include "problem/task_loss.hpp"
#include "solve/append_history.hpp"
#include "weights/memory.hpp"

namespace kernmix {
namespace {

void append(std::vector<Vector> more, std::vector<Vector>& all) {
  std::ranges::move(more, std::back_inserter(all));
}

/// Zero, or the feasible point closest to it.
Vector untrained_duals(const Loss& loss, Bias bias, const Task& task) {
  Vector a(task.y.size(), 0.0);
  make_feasible(dual_set(loss, bias, task.y, task.C), a);
  return a;
}

/// Whether the certificates of tasks that time does not reach evaluate kernels: those of zero do
/// not.
bool untrained_need_kernels(const TaskSet& set) {
  const Vector a = untrained_duals(set.loss, set.bias, set.task(0));
  return std::ranges::any_of(a, [](double value) { return value != 0.0; });
}

}  // namespace

void TasksCertificate::add(const Problem& problem, const CertifiedPoint& point) {
  const Certificate& own = point.certificate;
  bounds.add(own);
  worst_gap = std::max(worst_gap, own.relative_gap());
  std::vector<Vector> z = by_functions(problem, from_panel(problem, point.Z));
  const Index K = problem.functions();
  for (Index row = 0; row < point.Q.rows; ++row) {
    const auto k = to_size(row / K);
    const ConstSpan q = point.Q.row(row);
    TaskCertificate& task = tasks.emplace_back();
    task.z = std::move(z[to_size(row)]);
    task.q.assign(q.begin(), q.end());
    task.bias = own.bias[k][to_size(row % K)];
    if (joins_classes(problem.loss)) continue;  // classes are not separate problems
    const bool whole = problem.coupling == Coupling::separate;
    task.primal = whole ? own.primal : own.task_primal[k];
    task.gap = whole ? own.gap : own.task_gap[k];
  }
}

TasksRun::TasksRun(const TaskSet& set, KernelCache& kernels, const TasksOptions& options,
                   const std::vector<StartingPoint>& starts, const Context& context,
                   TrainResult& result)
    : set_(set),
      kernels_(kernels),
      options_(options.solver),
      proof_(options.proof),
      starts_(starts),
      context_(context),
      result_(result) {
  result_.status = Status::converged;
  answer_.weights = Matrix(set_.parts(), length(set_.kernels));
  owes_untrained_ = context_.deadline && set_.parts() > 1 && untrained_need_kernels(set_);
  if (set_.of_pairs()) {
    plan_largest_pair();
    for (Index part = 0; part < set_.parts(); ++part) solve_pair(part);
    return;
  }
  KernelStore common = store(0, result_.plan);
  for (Index part = 0; part < set_.parts(); ++part) {
    if (!solved_in_time(part, common)) add_untrained(part, common.exact());
  }
  for (SnapshotAnswer& moment : moments_) {
    moment.answer.gamma = answer_.gamma;
    moment.answer.solver = answer_.solver;
  }
}

SolverMemory tasks_memory(const TaskSet& set, Index moments, Index part, const MemoryPlan& plan,
                          const Context& context) {
  TasksShape shape = set.shape();
  shape.moments = moments;
  const Context own = beside(context, plan.data_bytes);  // as KernelStore::solving()
  const auto needed = [&] {
    if (set.joint()) return expected_joint_memory(shape, set.regularizer);
    if (!set.separate()) {
      return expected_shared_memory(shape, set.loss, set.regularizer, plan, own);
    }
    SolverMemory separate =
        expected_solver_memory(set.loss, set.regularizer, length(set.task(part).y), plan, own);
    if (!set.single()) separate.workspace += kept_answer_bytes(set.shape());
    return separate;
  };
  SolverMemory memory = needed();
  const Index functions = set.separate() ? 1 : shape.tasks;  // each with a witness
  const Index samples = set.separate() ? length(set.task(part).y) : shape.samples;
  memory.certificate = certificate_bytes(plan, samples, 2 * functions, context);
  return memory;
}

/// Kernels common to all parts have the highest precision required by a start.
Accuracy TasksRun::accuracy(Index part) const {
  const bool asked =
      !starts_.empty() &&
      (set_.of_pairs() ? starts_[to_size(part)].double_precision
                       : std::ranges::any_of(starts_, &StartingPoint::double_precision));
  return {options_.tolerance,
          set_.largest_C(),
          kernels_.kernels().assume_psd,
          asked,
          proof_ == Proof::on_exact_kernels,
          set_.separate() ? 1 : set_.shape().tasks};
}

/// Of the samples of a part, which others share unless it is a pair of classes.
KernelStore TasksRun::store(Index part, MemoryPlan& plan) {
  const std::vector<Index> rows = set_.rows(part);
  plan.data_bytes += kernels_.bytes_beside(rows);
  return {kernels_.on(rows),
          [this, part](const MemoryPlan& planned) { return memory(part, planned); },
          accuracy(part),
          context_,
          plan,
          result_.seconds};
}

/// Checks the memory of the largest pair before the first one is solved.
void TasksRun::plan_largest_pair() {
  const auto size = [](const Task& task) { return task.y.size(); };
  const Index largest = std::ranges::max_element(set_.tasks, {}, size) - set_.tasks.begin();
  const std::vector<Index> rows = set_.rows(largest);
  if (kernels_.are_stored(rows)) return;
  plan_store(
      kernels_.on(rows).sources,
      [&](const MemoryPlan& planned) { return memory(largest, planned); }, accuracy(largest),
      context_, result_.plan);
  require_memory(result_.plan, context_);
  result_.plan.families.reset();
}

void TasksRun::solve_part(Index part, KernelStore& store) {
  const auto problem = [&](const KernelBank& bank) { return set_.problem(part, bank); };
  SolverOptions options = options_;
  if (!starts_.empty()) options.start = starts_[to_size(part)];
  if (proof_ == Proof::on_stored_kernels) {
    CertifiedAnswer found = solve_stored(problem, store, options);
    return add(part, problem(store.bank()), std::move(found));
  }
  CertifiedAnswer found = solve_certified(problem, store, options);
  for (Snapshot& moment : found.solution.moments) {
    add_moment(problem(store.any_bank()), std::move(moment));
  }
  add(part, problem(store.exact().bank()), std::move(found));
}

/// Whether no time is left to begin a part.
bool TasksRun::is_late() const {
  return context_.should_stop() || (owes_untrained_ && solving_ && solving_->should_stop());
}

/// What the part and those after it leave of the time limit for their certificates.
void TasksRun::reserve(Index part, KernelStore& store) {
  store.owe(owes_untrained_ ? set_.parts() - part : 1);
  solving_ = store.solving();
}

/// False for a part, other than the first, that time does not allow a pass over its kernels.
bool TasksRun::solved_in_time(Index part, KernelStore& store) {
  const bool late = part > 0 && is_late();
  reserve(part, store);
  if (part == 0) {
    solve_part(part, store);
    return true;
  }
  try {
    if (late) return false;
    solve_part(part, store);
    return true;
  } catch (const ResourceError&) {
    if (!solving_->should_stop() || context_.is_abandoned()) throw;
    return false;
  }
}

void TasksRun::solve_pair(Index part) {
  MemoryPlan plan;
  plan.data_bytes = result_.plan.data_bytes;
  std::optional<KernelStore> own;
  try {
    if (!is_late()) {
      own.emplace(store(part, plan));
      reserve(part, *own);
      if (plan.total() > result_.plan.total()) result_.plan = plan;
      solve_part(part, *own);
      return kernels_.done_with(set_.rows(part), context_);
    }
  } catch (const NoTimeForPass&) {
    if (part == 0) throw;           // nothing is lost
  } catch (const ResourceError&) {  // otherwise time ran out, maybe before the kernels were stored
    if (!(own ? *solving_ : context_).should_stop()) throw;
  }
  add_untrained(part, ReferenceKernels(kernels_.on(set_.rows(part)).sources));
}

/// The first weights of the regularizer and a = 0, or the feasible point closest to it.
void TasksRun::add_untrained(Index part, const ReferenceKernels& exact) {
  Problem problem = set_.problem(part, exact.bank());
  const Index M = problem.kernels();
  problem.regularizer =
      with_chosen_weights(problem.regularizer, Vector(to_size(M), 1.0 / static_cast<double>(M)));
  Answer solution;
  solution.d = initial_weights(problem.regularizer, M);
  solution.a.push_back(untrained_duals(set_.loss, set_.bias, set_.task(part)));
  solution.gamma = {1.0};
  solution.status = context_.is_cancelled() ? Status::interrupted : Status::time_limit;
  add(part, problem,
      certify_exactly(exact, problem, std::move(solution), options_.tolerance, context_));
}

void TasksRun::add(Index part, const Problem& problem, CertifiedAnswer found) {
  Answer& solution = found.solution;
  std::ranges::copy(solution.d, answer_.weights.row(part).begin());
  answer_.certificate.add(problem, found.exact);
  std::vector<Vector> a = by_functions(problem, solution.a);
  std::vector<Vector> witness = by_functions(problem, solution.witness);
  witness.resize(a.size());
  answer_.gamma.resize(answer_.gamma.size() + a.size(), 1.0);
  if (set_.sharing) answer_.gamma = solution.gamma;
  append(std::move(a), answer_.a);
  append(std::move(witness), answer_.witness);
  if (answer_.solver.empty()) answer_.solver = solution.solver;
  if (result_.status == Status::converged) result_.status = solution.status;
  add_history(part, solution);
  seconds_before_ = result_.seconds.solve;
}

/// Appends the history of separate tasks; an iteration then counts as an SVM.
void TasksRun::add_history(Index part, Answer& solution) {
  const bool separate = set_.separate();
  if (separate) solution.svm_solves = length(solution.history);
  for (Iteration& step : solution.history) {
    if (!separate) break;
    step.svm_solves = step.number + 1;
    step.weights.clear();
    if (!set_.single()) step.step = fmt::format("{}: {}", set_.name(part), step.step);
  }
  append_history(solution, seconds_before_, result_);
}

/// With the best biases for the functions of d and the dual vectors.
void TasksRun::add_moment(const Problem& problem, Snapshot moment) {
  const Matrix Z =
      problem.bank.combined(moment.d)->times(panel_of(problem, moment.a), without_end(context_));
  const std::vector<Vector> z = from_panel(problem, Z);
  SnapshotAnswer& then = moments_.emplace_back();
  then.seconds = moment.seconds;
  then.svm_solves = moment.svm_solves;
  for (std::size_t k = 0; k < z.size(); ++k) {
    for (const double bias : TaskLoss(problem, static_cast<Index>(k)).at(z[k], moment.a[k]).bias) {
      then.answer.certificate.tasks.push_back({.q = Vector(moment.d.size(), 0.0), .bias = bias});
    }
  }
  then.answer.a = by_functions(problem, moment.a);
  then.answer.witness.resize(then.answer.a.size());
  then.answer.weights = Matrix(1, length(moment.d));
  then.answer.weights.values = std::move(moment.d);
}

}  // namespace kernmix
