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

/// "only 6 different arrangements of the labels are possible", or the share of samples.
std::string room_text(const ExchangeRoom& room) {
  constexpr double shown = 1e6;
  std::string movable =
      fmt::format("{:.0f} % of the samples can get another label", 100.0 * room.movable);
  if (room.arrangements > shown) return movable;
  return fmt::format(
      "{} and the labels have {:.0f} different arrangements, so p cannot be below {:.2g}", movable,
      room.arrangements, 1.0 / room.arrangements);
}

/// The test has hardly any power if labels hardly move.
void warn_of_little_room(const SignificanceOptions& asked, const ExchangeRoom& room,
                         std::vector<Warning>& warnings) {
  constexpr double few = 100.0;
  constexpr double little = 0.5;
  if (asked.permutations == 0 || (room.arrangements >= few && room.movable >= little)) return;
  const char* const remedy =
      room.mixed
          ? "groups with several labels exchange them only with groups of the same size in the "
            "same fold: permute within groups (the groups as blocks) if the labels of a group's "
            "samples differ by what is tested, or bring all groups to the same size, or use fewer "
            "folds"
          : "use fewer folds, so that more samples or groups are tested together";
  warnings.push_back(
      {"few-arrangements",
       fmt::format("the permutation test has little power: {}; {}", room_text(room), remedy),
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
                                           const SignificanceOptions& asked,
                                           const ExchangeRoom& room) {
  std::vector<Warning> warnings;
  warn_of_little_room(asked, room, warnings);
  warn_of_early_end(result, asked, warnings);
  warn_of_few_permutations(asked, warnings);
  warn_of_missing_scores(result, warnings);
  warn_of_redundant(result, warnings);
  return warnings;
}

}  // namespace kernmix
