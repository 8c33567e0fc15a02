// The best mean m* has the standard error e = spread / sqrt(K); the simplest candidate with
// |m - m*| <= e is chosen.

#include "selection/search/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.hpp"
#include "kernmix/error.hpp"

namespace kernmix {

Choice parse_choice(const std::string& name) {
  if (name == "best") return Choice::best;
  if (name == "one-se") return Choice::one_se;
  throw ParameterError(fmt::format("the choice must be best or one-se, got {}", in_quotes(name)));
}

std::optional<double> SearchedCell::standard_error() const {
  if (!spread) return std::nullopt;
  const auto known = std::ranges::count_if(scores, [](const auto& one) { return one.has_value(); });
  return *spread / std::sqrt(static_cast<double>(known));
}

std::optional<Index> best_cell(const std::vector<SearchedCell>& cells, const ScoreRule& score) {
  std::optional<Index> best;
  std::optional<double> best_mean;
  for (Index c = 0; c < length(cells); ++c) {
    if (!score.better(cells[to_size(c)].mean, best_mean)) continue;
    best = c;
    best_mean = cells[to_size(c)].mean;
  }
  return best;
}

std::optional<Index> simplest_cell(const std::vector<SearchedCell>& cells,
                                   const std::vector<Candidate>& candidates,
                                   const ScoreRule& score) {
  const std::optional<Index> best = best_cell(cells, score);
  if (!best) return std::nullopt;
  const double mean = *cells[to_size(*best)].mean;
  const double error = cells[to_size(*best)].standard_error().value_or(0.0);
  const auto simplicity = [&](Index c) {
    const SearchedCell& cell = cells[to_size(c)];
    return std::tuple(cost_of(candidates[to_size(c)].options), cell.kernels_used,
                      (score.larger_is_better ? -1.0 : 1.0) * score.comparable(*cell.mean));
  };
  Index simplest = *best;
  for (Index c = 0; c < length(cells); ++c) {
    const std::optional<double>& own = cells[to_size(c)].mean;
    if (!own || score.comparable(std::abs(*own - mean)) > score.comparable(error)) continue;
    if (simplicity(c) < simplicity(simplest)) simplest = c;
  }
  return simplest;
}

}  // namespace kernmix
