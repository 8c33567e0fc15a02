#include "weights/tasks/shared_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace kernmix {

SharedRun::SharedRun(std::string solver, const Problem& problem, const SolverOptions& options,
                     const Context& context)
    : problem_(problem),
      options_(options),
      context_(context),
      solver_(std::move(solver)),
      tasks_(problem, context),
      bounds_(options, context) {}

double SharedRun::combined(ConstSpan d, ConstSpan task_values) const {
  const double of_tasks = is_sum() ? std::accumulate(task_values.begin(), task_values.end(), 0.0)
                                   : *std::ranges::max_element(task_values);
  return of_tasks + penalty(problem_.regularizer, d);
}

double SharedRun::size_of(const TaskState& state) const {
  return std::max(std::abs(state.upper), optimum_floor(problem_.loss, problem_.bank,
                                                       problem_.diagonals, tasks_.weights()));
}

double SharedRun::upper_here() const {
  Vector values;
  for (const TaskState& state : tasks_.states()) values.push_back(state.upper);
  return combined(tasks_.weights(), values);
}

void SharedRun::keep_upper() {
  bounds_.measure_by(least_size_of(problem_, tasks_.weights()));
  if (!bounds_.offer_upper(upper_here()) && !best_d_.empty()) return;
  best_d_ = tasks_.weights();
  best_states_ = tasks_.states();
}

void SharedRun::keep_lower(double bound, Vector gamma, std::vector<Vector> a) {
  if (!bounds_.offer_lower(bound)) return;
  if (is_sum()) std::ranges::fill(gamma, 1.0);  // of multipliers that add up to 1 but for rounding
  gamma_ = std::move(gamma);
  witness_ = std::move(a);
}

void SharedRun::record(const std::string& step) {
  auto moment = bounds_.record(tasks_.weights(), best_d_, work(), step);
  if (!moment) return;
  for (const TaskState& state : best_states_) moment->a.push_back(state.a);
  bounds_.keep(std::move(*moment));
}

/// A model needs every task, also those that decide nothing about the weights. How small a gap must
/// be is known only where the objective is: at first that of another dual vector, maybe a = 0.
void SharedRun::train_all() {
  constexpr double kShare = 0.05;
  tasks_.restore(best_states_);
  tasks_.move_to(best_d_);
  Vector gaps(problem_.tasks.size(), std::numeric_limits<double>::infinity());
  while (!context_.should_stop()) {
    std::vector<Index> open;
    Vector targets;
    for (Index k = 0; k < tasks_.size(); ++k) {
      const double before = std::exchange(gaps[static_cast<std::size_t>(k)], tasks_.gap(k));
      const double gap = gaps[static_cast<std::size_t>(k)];
      const double target = kShare * options_.tolerance * size_of(tasks_.state(k));
      if (gap <= target || gap > 0.9 * before) continue;
      open.push_back(k);
      targets.push_back(target);
    }
    if (open.empty()) return;
    tasks_.solve(open, targets);
  }
}

/// Where no lower bound came with any: all of it for the task with the largest value, which at
/// weights that nothing can change is optimal.
Vector SharedRun::own_gamma() const {
  Vector gamma(problem_.tasks.size(), is_sum() ? 1.0 : 0.0);
  if (is_sum()) return gamma;
  const auto largest = std::ranges::max_element(tasks_.states(), {}, &TaskState::lower);
  gamma[static_cast<std::size_t>(largest - tasks_.states().begin())] = 1.0;
  return gamma;
}

Answer SharedRun::result() {
  const Status ended = bounds_.status();
  train_all();
  Answer answer;
  answer.solver = solver_;
  answer.d = best_d_;
  answer.a = tasks_.dual_vectors();
  answer.gamma = gamma_.empty() ? own_gamma() : gamma_;
  bounds_.finish(problem_, witness_, work(), ended, answer);
  return answer;
}

}  // namespace kernmix
