#include "solver/shared/shared_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kernmix {
namespace {

constexpr double unbounded = std::numeric_limits<double>::infinity();
/// Of the tolerance: the rest is for what training the tasks at the final weights may change.
constexpr double tolerance_share = 0.9;

double relative_to_size(double gap, double upper, double lower) {
  const double size = std::max(std::abs(upper), std::abs(lower));
  return std::isfinite(gap) ? std::max(gap, 0.0) / std::max(size, 1e-300) : unbounded;
}

}  // namespace

SharedRun::SharedRun(std::string solver, const SharedProblem& problem, const SolverOptions& options,
                     const Context& context)
    : problem_(problem),
      options_(options),
      context_(context),
      tasks_(problem, context),
      upper_(unbounded),
      lower_(-unbounded) {
  solution_.solver = std::move(solver);
}

double SharedRun::combined(ConstSpan d, ConstSpan task_values) const {
  const double of_tasks = is_sum() ? std::accumulate(task_values.begin(), task_values.end(), 0.0)
                                   : *std::ranges::max_element(task_values);
  return of_tasks + std::visit([&](const auto& r) { return r.penalty(d); }, problem_.regularizer);
}

double SharedRun::upper_here() const {
  Vector values;
  for (const TaskState& state : tasks_.states()) values.push_back(state.upper);
  return combined(tasks_.weights(), values);
}

void SharedRun::keep_upper() {
  const double value = upper_here();
  if (!(value < upper_) && !best_d_.empty()) return;
  upper_ = value;
  best_d_ = tasks_.weights();
  best_states_ = tasks_.states();
}

void SharedRun::keep_lower(double bound, Vector gamma, std::vector<Vector> a) {
  bound -= 1e-12 * std::abs(bound);  // what rounding may take when `a` is certified in the end
  if (!(bound > lower_)) return;
  lower_ = bound;
  gamma_ = std::move(gamma);
  proof_ = std::move(a);
  if (solution_.history.empty()) return;
  SharedIteration& last = solution_.history.back();
  last.dual = lower_;
  last.relative_gap = best_relative_gap();
}

void SharedRun::record(const std::string& step) {
  SharedIteration now;
  now.number = length(solution_.history);
  now.primal = upper_;
  now.dual = lower_;
  now.relative_gap = best_relative_gap();
  now.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  now.svm_solves = tasks_.svm_solves();
  now.bank_passes = tasks_.bank_passes();
  now.inner_iterations = tasks_.inner_iterations();
  now.active_kernels =
      std::ranges::count_if(tasks_.weights(), [](double weight) { return weight > 0.0; });
  now.step = step;
  solution_.history.push_back(now);
  context_.report({"solve", now.number + 1, 0, now.relative_gap});
}

double SharedRun::best_relative_gap() const {
  return relative_to_size(upper_ - lower_, upper_, lower_);
}

double SharedRun::open_gap() const {
  const double size = std::isfinite(lower_) ? std::max(std::abs(upper_), std::abs(lower_)) : 0.0;
  return std::max(upper_ - lower_, 0.5 * options_.tolerance * size);
}

bool SharedRun::finished() const { return stalled_ || status() != Status::stalled; }

Status SharedRun::status() const {
  if (best_relative_gap() <= tolerance_share * options_.tolerance) return Status::converged;
  if (context_.is_cancelled()) return Status::interrupted;
  if (context_.should_stop()) return Status::time_limit;
  if (limited_ || length(solution_.history) >= options_.max_iterations)
    return Status::iteration_limit;
  return Status::stalled;
}

/// A model needs every task, also those that decide nothing about the weights.
void SharedRun::train_all() {
  constexpr double kShare = 0.05;
  std::vector<Index> all(static_cast<std::size_t>(tasks_.size()));
  std::iota(all.begin(), all.end(), Index{0});
  tasks_.restore(best_states_);
  tasks_.move_to(best_d_);
  if (context_.should_stop()) return;
  std::vector<Index> open;
  Vector targets;
  for (const Index k : all) {
    const TaskState& state = tasks_.state(k);
    const Problem& own = tasks_.task_problem(k);
    const LossPoint loss = loss_at(own.loss, own.bias, own.y, state.z, state.a, own.C);
    const double target = kShare * options_.tolerance * std::abs(state.upper);
    if (loss.gap <= target) continue;
    open.push_back(k);
    targets.push_back(target);
  }
  if (!open.empty()) tasks_.solve(open, targets);
}

SharedSolution SharedRun::result() {
  const Status ended = status();
  train_all();
  SharedSolution solution = solution_;
  solution.d = best_d_;
  solution.a = tasks_.dual_vectors();
  solution.gamma = gamma_;
  if (solution.gamma.empty()) {
    const auto T = problem_.tasks.size();
    solution.gamma.assign(T, is_sum() ? 1.0 : 1.0 / static_cast<double>(T));
  }
  solution.certificate =
      certify_shared(problem_, solution.d, solution.a, solution.gamma, context_).certificate;
  if (!proof_.empty()) {
    const double own = solution.certificate.dual;
    solution.certificate.raise_dual(
        certify_shared_dual(problem_, proof_, solution.gamma, context_));
    if (solution.certificate.dual > own) solution.proof = proof_;
  }
  solution.status = solution.certificate.relative_gap() <= options_.tolerance ? Status::converged
                    : ended == Status::converged                              ? Status::stalled
                                                                              : ended;
  solution.svm_solves = tasks_.svm_solves();
  solution.inner_iterations = tasks_.inner_iterations();
  solution.bank_passes = tasks_.bank_passes() + (proof_.empty() ? 1 : 2);
  return solution;
}

}  // namespace kernmix
