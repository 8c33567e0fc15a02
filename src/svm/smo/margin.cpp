#include "svm/smo/margin.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "svm/smo/optimality.hpp"

namespace kernmix {
namespace {

/// The midpoint of the derivatives of the free variables in each block, the reference for the other
/// variables; without free variables, the midpoint of the two sides of the optimality condition.
std::array<double, smo::most_blocks> margin_levels(const BoxProblem& box,
                                                   const std::vector<smo::Derivatives>& all) {
  std::array<Vector, smo::most_blocks> free;
  smo::Intervals intervals;
  for (Index k = 0; k < box.n; ++k) {
    const smo::Derivatives& own = all[static_cast<std::size_t>(k)];
    const auto c = static_cast<std::size_t>(smo::block_of(box, k));
    intervals[c].include(own);
    if (own.rising == own.falling) free[c].push_back(own.rising);
  }
  std::array<double, smo::most_blocks> levels{};
  for (std::size_t c = 0; c < levels.size(); ++c) {
    levels[c] = 0.5 * (intervals[c].least_rising + intervals[c].largest_falling);
    if (free[c].empty()) continue;
    const auto middle = free[c].begin() + length(free[c]) / 2;
    std::ranges::nth_element(free[c], middle);
    levels[c] = *middle;
  }
  return levels;
}

}  // namespace

Vector room_at_margin(const Problem& problem, const DualSet& set, ConstSpan a, ConstSpan z) {
  const QuadraticTerms terms = quadratic_terms(problem.loss, problem.y(), problem.C()).value();
  const Index n = length(problem.y());
  const double constant =
      problem.bias == Bias::penalised ? std::accumulate(a.begin(), a.end(), 0.0) : 0.0;
  const BoxProblem box{n, {}, terms.linear, set.lower, set.upper, terms.kink, set.block};
  std::vector<smo::Derivatives> all;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double gradient = z[i] + constant + terms.diagonal[i] * a[i] - terms.linear[i];
    all.push_back(smo::derivatives(box, static_cast<Index>(i), a[i], gradient));
  }
  std::array<double, smo::most_blocks> levels{};  // 0 without a fixed sum
  if (set.balanced()) levels = margin_levels(box, all);
  Vector room;
  for (Index i = 0; i < n; ++i) {
    const double level = levels[static_cast<std::size_t>(smo::block_of(box, i))];
    const smo::Derivatives& own = all[static_cast<std::size_t>(i)];
    room.push_back(std::min(own.rising - level, level - own.falling));
  }
  return room;
}

}  // namespace kernmix
