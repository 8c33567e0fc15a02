#include "weights/tasks/task_visit.hpp"

#include <algorithm>
#include <cmath>

namespace kernmix {
namespace {

/// Of the open gap: what may stay unknown at weights that are looked at, and of it, inner gaps.
constexpr double visit_share = 0.2;
constexpr double inner_share_of_visit = 0.25;
/// Of the objective, at the first weights.
constexpr double first_share = 0.02;
/// Tasks at least so decisive, relative to the most decisive one, are solved with it: some of them
/// in vain, but all in one pass over the bank.
constexpr double batch_share = 0.5;
constexpr std::size_t largest_batch = 8;
constexpr int most_solves = 3;

}  // namespace

TaskVisit::TaskVisit(const SharedRun& run, Vector proven)
    : proven_(std::move(proven)), visits_(run.problem().tasks.size(), 0) {}

double TaskVisit::target(const SharedRun& run, Index k) const {
  const double share = inner_share_of_visit * visit_share;
  if (!std::isfinite(run.best_lower())) {
    return first_share * run.size_of(run.tasks().state(k));
  }
  const double T = run.is_sum() ? static_cast<double>(run.problem().size()) : 1.0;
  return share * run.open_gap() / T;
}

void TaskVisit::update(const SharedRun& run) {
  for (std::size_t k = 0; k < proven_.size(); ++k) {
    proven_[k] = std::max(proven_[k], run.tasks().states()[k].lower);
  }
}

std::vector<Index> TaskVisit::unvisited() {
  std::vector<Index> tasks;
  for (Index k = 0; k < length(visits_); ++k) {
    if (visits_[static_cast<std::size_t>(k)]++ == 0) tasks.push_back(k);
  }
  return tasks;
}

std::vector<Index> TaskVisit::decisive(const SharedRun& run) {
  update(run);
  if (!std::isfinite(run.best_lower())) return unvisited();
  const double model = run.combined(run.tasks().weights(), proven_);
  if (run.upper_here() - model <= visit_share * run.open_gap()) return {};
  if (model >= run.best_upper()) return {};
  const double top = *std::ranges::max_element(proven_);
  const auto weight = [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    return run.tasks().state(k).upper - (run.is_sum() ? proven_[at] : top);
  };
  std::vector<Index> open;
  for (Index k = 0; k < run.problem().size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double unknown = run.tasks().state(k).upper - proven_[at];
    if (visits_[at] < most_solves && unknown > target(run, k) && weight(k) > 0.0) {
      open.push_back(k);
    }
  }
  std::ranges::stable_sort(open, std::greater<>(), weight);
  std::size_t count = 0;
  while (count < std::min(open.size(), largest_batch) &&
         weight(open[count]) >= batch_share * weight(open[0])) {
    ++visits_[static_cast<std::size_t>(open[count++])];
  }
  open.resize(count);
  return open;
}

}  // namespace kernmix
