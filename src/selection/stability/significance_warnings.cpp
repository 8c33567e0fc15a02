#include "selection/stability/significance_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace kernmix {
namespace {

void warn_of_few_permutations(const SignificanceOptions& asked, std::vector<Warning>& warnings) {
  constexpr Index enough = 19;
  if (asked.permutations == 0 || asked.permutations >= enough) return;
  warnings.push_back(
      {"few-permutations",
       fmt::format("{} permutations cannot give a p-value below {:.2g}; use 99 or more",
                   asked.permutations, 1.0 / static_cast<double>(1 + asked.permutations)),
       {}});
}

void warn_of_early_end(const Significance& result, const SignificanceOptions& asked,
                       std::vector<Warning>& warnings) {
  if (result.complete) return;
  const Index labels = result.labels ? length(result.labels->permuted) : 0;
  warnings.push_back(
      {"stopped-early",
       fmt::format("the run was stopped: p-values come from {} of {} permutations of "
                   "labels, and missing numbers were not computed",
                   labels, asked.permutations),
       {}});
}

void warn_of_missing_scores(const Significance& result, std::vector<Warning>& warnings) {
  const auto missing =
      std::ranges::count_if(result.folds, [](double score) { return std::isnan(score); });
  if (missing == 0) return;
  warnings.push_back(
      {"folds-without-score",
       fmt::format(
           "{} of {} folds have no {}, because a class is missing in their training or test part: "
           "all means are over the other folds",
           missing, result.folds.size(), result.score),
       {}});
}

/// Views are redundant if the model predicts, but the score does not drop without any one of them.
void warn_of_redundant(const Significance& result, std::vector<Warning>& warnings) {
  if (!result.labels || result.views.size() < 2) return;
  const double above = result.larger_is_better ? result.mean - result.labels->mean
                                               : result.labels->mean - result.mean;
  constexpr double small = 0.1;
  const auto unmissed = [&](const ViewScores& view) {
    return view.drop && *view.drop < small * above;
  };
  if (above <= 0.0 || result.labels->p > 0.05) return;
  if (!std::ranges::all_of(result.views, unmissed)) return;
  warnings.push_back({"redundant-views",
                      "the views are redundant: removing any one of them does not lower the score; "
                      "compare their scores alone",
                      {}});
}

}  // namespace

std::vector<Warning> significance_warnings(const Significance& result,
                                           const SignificanceOptions& asked) {
  std::vector<Warning> warnings;
  warn_of_early_end(result, asked, warnings);
  warn_of_few_permutations(asked, warnings);
  warn_of_missing_scores(result, warnings);
  warn_of_redundant(result, warnings);
  return warnings;
}

}  // namespace kernmix
