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
       fmt::format("{} permutations give no p-value below {:.2g}; ask for 99 or more",
                   asked.permutations, 1.0 / static_cast<double>(1 + asked.permutations)),
       {}});
}

void warn_of_early_end(const Significance& result, const SignificanceOptions& asked,
                       std::vector<Warning>& warnings) {
  if (result.complete) return;
  const Index labels = result.labels ? length(result.labels->permuted) : 0;
  warnings.push_back({"stopped-early",
                      fmt::format("time was up: p-values are of {} of {} permutations of labels, "
                                  "and what else is missing was not computed",
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
           "{} of {} folds have no {}, for want of a class to train on or to test: all means "
           "are of the others",
           missing, result.folds.size(), result.score),
       {}});
}

/// Views that are missed by nobody and good alone know what others know.
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
                      "no view is missed when it is left out, though all together predict: several "
                      "know the same; read what each does alone",
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
