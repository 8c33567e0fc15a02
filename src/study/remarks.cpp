#include <fmt/format.h>

#include <algorithm>

#include "kernmix/error.hpp"
#include "kernmix/study.hpp"

namespace kernmix {

std::optional<std::pair<double, double>> ends_of_grid(const std::vector<Candidate>& candidates,
                                                      const std::string& key) {
  std::vector<double> values;
  for (const Candidate& candidate : candidates) {
    for (const auto& [name, number] : candidate.numbers) {
      if (name == key) values.push_back(number);
    }
  }
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  if (!(low < high)) return std::nullopt;
  return std::pair(low, high);
}

bool is_end_of_grid(const std::vector<Candidate>& candidates, const std::string& key, double value,
                    bool largest) {
  const auto ends = ends_of_grid(candidates, key);
  return ends && value == (largest ? ends->second : ends->first);
}

std::vector<std::string> grid_remarks(const std::vector<Candidate>& candidates,
                                      const Search& search, const std::string& remedy) {
  std::vector<std::string> remarks;
  if (!search.complete || !search.best) return remarks;
  for (const auto& [key, value] : candidates[to_size(*search.best)].numbers) {
    for (const bool largest : {false, true}) {
      if (!is_end_of_grid(candidates, key, value, largest)) continue;
      remarks.push_back(fmt::format(
          "The best {} = {} is the {} of its grid: better values may lie beyond; {}.", key, value,
          largest ? "largest" : "smallest", fmt::format(fmt::runtime(remedy), key)));
    }
  }
  return remarks;
}

std::vector<std::string> nested_remarks(const NestedSearch& nested, Index folds) {
  if (nested.complete) return {};
  return {
      fmt::format("The nested search stopped early: {} of {} outer folds are finished, and the "
                  "expected scores come from these folds only. Allow more time.",
                  nested.folds.size(), folds)};
}

void require_choice(const Search& search, const ScoreRule& score, const std::string& hint) {
  if (search.chosen) return;
  if (search.complete) {
    throw DataError(
        fmt::format("no candidate has the score {} on any fold: each fold tests only one class or "
                    "one value, or too few samples; use fewer folds, or another score",
                    score.name));
  }
  throw ResourceError(
      "stopped before any candidate had all scores: there is no model; allow more time" + hint);
}

MeanAndSpread nested_mean(const NestedSearch& nested, const std::optional<Expected>& expected,
                          const std::string& score) {
  Vector values;
  for (const NestedScore& fold : nested.folds) {
    if (fold.score) values.push_back(*fold.score);
  }
  MeanAndSpread found = mean_and_spread(values);
  const Metric* const metric = expected ? expected->find(score) : nullptr;
  if (metric != nullptr && metric->value) found.mean = metric->value;
  return found;
}

}  // namespace kernmix
