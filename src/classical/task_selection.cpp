#include "classical/task_selection.hpp"

#include <algorithm>
#include <cmath>

namespace kernmix {
namespace {

/// Share of the open gap that may remain unknown at evaluated weights, and the share of inner gaps
/// in it.
constexpr double visit_share = 0.2;
constexpr double inner_share_of_visit = 0.25;
/// Share of the objective, at the first weights.
constexpr double first_share = 0.02;
/// Tasks with at least this importance relative to the most decisive one are solved together with
/// it, in one pass over the bank, although some may be unnecessary.
constexpr double batch_share = 0.5;
constexpr std::size_t largest_batch = 8;
constexpr int most_solves = 3;

}  // namespace

TaskSelection::TaskSelection(const Objective& J, Vector proven)
    : proven_(std::move(proven)), visits_(J.problem().tasks.size(), 0) {}

double TaskSelection::target(const Objective& J, Index k) const {
  const double share = inner_share_of_visit * visit_share;
  if (J.at_start()) {
    return first_share * J.size_of(k);
  }
  const double T = J.is_minimax() ? 1.0 : static_cast<double>(J.problem().size());
  return share * J.open_gap() / T;
}

void TaskSelection::update(const Objective& J) {
  for (std::size_t k = 0; k < proven_.size(); ++k) {
    proven_[k] = std::max(proven_[k], J.tasks().states()[k].lower);
  }
}

std::vector<Index> TaskSelection::unvisited() {
  std::vector<Index> tasks;
  for (Index k = 0; k < length(visits_); ++k) {
    if (visits_[static_cast<std::size_t>(k)]++ == 0) tasks.push_back(k);
  }
  return tasks;
}

std::vector<Index> TaskSelection::decisive(const Objective& J) {
  update(J);
  if (J.at_start()) return unvisited();
  const double model = J.coupled(proven_) + penalty(J.problem().regularizer, J.tasks().weights());
  if (J.upper_here() - model <= visit_share * J.open_gap()) return {};
  if (model >= J.best_primal()) return {};
  const double top = *std::ranges::max_element(proven_);
  const auto weight = [&](Index k) {
    const auto at = static_cast<std::size_t>(k);
    return J.tasks().state(k).upper - (J.is_minimax() ? top : proven_[at]);
  };
  std::vector<Index> open;
  for (Index k = 0; k < J.problem().size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double unknown = J.tasks().state(k).upper - proven_[at];
    if (visits_[at] < most_solves && unknown > target(J, k) && weight(k) > 0.0) {
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
