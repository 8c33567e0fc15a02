#include "study/answer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "model/pipeline.hpp"
#include "study/columns.hpp"
#include "study/subsample.hpp"

namespace kernmix {
namespace {

constexpr double kHardly = 0.01;  ///< a negligible share of weight
constexpr std::size_t kMostViews = 8;

std::string sentence_of_samples(const Table& table, Index samples) {
  if (table.unmatched == 0) return fmt::format("All {} samples are used.", samples);
  return fmt::format("{} samples are used; {} are left out because they are not in every file.",
                     samples, table.unmatched);
}

/// Sentence about the area under the ROC curve for two classes.
std::string sentence_of_ranking(const Expected& expected) {
  const Metric* const auc = expected.find("auc");
  if (auc == nullptr || !auc->value || expected.classes != 2) return "";
  return fmt::format(
      "Of two new samples, one of each class, it ranks them rightly in {} of 100 cases{}; guessing "
      "does in 50 (AUC).",
      std::lround(100.0 * *auc->value), interval_of_hundred(*auc));
}

/// Sentence about the recall of two classes, relevant if one is rare.
std::string sentence_of_classes(const Expected& expected, const Model& model) {
  if (expected.classes != 2 || !model.single()) return "";
  const auto of = [&](const char* metric, const std::string& name) -> std::string {
    const Metric* const found = expected.find(metric);
    if (found == nullptr || !found->value) return "";
    return fmt::format("{:.0f} of 100 new samples of '{}'{}", 100.0 * *found->value, name,
                       interval_of_hundred(*found));
  };
  const std::string positive = of("recall", model.names[1]);
  const std::string negative = of("specificity", model.names[0]);
  if (positive.empty() || negative.empty()) return "";
  return fmt::format("It recognises {}, and {}.", positive, negative);
}

std::string sentence_of_views(const std::vector<ViewShare>& shares, bool equal_weights) {
  std::vector<std::string> parts;
  std::vector<std::string> unsure;
  for (const ViewShare& view : shares) {
    if (parts.size() < kMostViews) {
      parts.push_back(fmt::format("{} {:.0f} % ({:.0f} to {:.0f})", view.view, 100.0 * view.share,
                                  100.0 * view.least, 100.0 * view.most));
    }
    if (view.share > kHardly && view.least <= kHardly) unsure.push_back(view.view);
  }
  const std::string rest = shares.size() > parts.size()
                               ? fmt::format(", and {} more", shares.size() - parts.size())
                               : std::string();
  if (equal_weights) {
    return "All kernels have the same weight in this model, so it does not say which view matters "
           "more.";
  }
  std::string text = fmt::format(
      "Share of each view in the model (range over models of parts of the samples): {}{}.",
      fmt::join(parts, ", "), rest);
  if (unsure.empty()) return text;
  return text + fmt::format(" The share of {} is zero in some of these models, so it may be noise.",
                            fmt::join(unsure, ", "));
}

/// Of the outer folds and, with a subsample, of the folds of the search.
std::vector<FoldScore> models_of_parts(const AutoResult& study, const Dataset& data,
                                       const Context& context) {
  std::vector<FoldScore> parts;
  if (!study.winners.models.empty()) parts = study.winners.models.front();
  if (!study.subsample || view_shares(study.trained.model).size() < 2) return parts;
  CrossValidation found =
      cross_validate(data, {study.winner().options}, study.folds.folds, context);
  std::ranges::move(found.models.front(), std::back_inserter(parts));
  return parts;
}

}  // namespace

std::vector<ViewShare> ranged_view_shares(const AutoResult& study, const Dataset& data,
                                          const Context& context) {
  std::vector<ViewShare> shares;
  const std::vector<FoldScore> parts = models_of_parts(study, data, context);
  for (const auto& [name, share] : view_shares(study.trained.model)) {
    ViewShare view{name, share, share, share};
    for (const FoldScore& fold : parts) {
      const auto found = fold.view_shares.find(name);
      if (found == fold.view_shares.end()) continue;
      view.least = std::min(view.least, found->second);
      view.most = std::max(view.most, found->second);
    }
    shares.push_back(std::move(view));
  }
  std::ranges::stable_sort(shares, std::greater(), &ViewShare::share);
  return shares;
}

namespace {

std::string sentence_of_no_estimate(const AutoResult& study) {
  const bool finished = study.search.complete && study.nested.complete && study.winners.complete;
  return std::string("There is no estimate of test performance: ") +
         (finished ? "some fold lacks a class; ask for fewer folds."
                   : "the run was stopped before it; allow more time.");
}

}  // namespace

std::vector<std::string> answer_of(const AutoResult& study, const Dataset& data) {
  const Index samples = sample_count(data.table, data.matrices);
  std::vector<std::string> answer = {sentence_of_samples(data.table, samples)};
  const auto add = [&](const std::string& sentence) {
    if (!sentence.empty()) answer.push_back(sentence);
  };
  add(sentence_of_subsample(study));
  if (study.expected) {
    add(answer_sentence(*study.expected));
    add(sentence_of_classes(*study.expected, study.trained.model));
    if (study.score.name == "auc") add(sentence_of_ranking(*study.expected));
    for (const std::string& remark : study.expected->remarks) add(remark);
    for (const Warning& warning : expected_warnings(*study.expected, "")) {
      add(fmt::format("Warning: {}.", warning.message));
    }
  } else {
    add(sentence_of_no_estimate(study));
  }
  const bool equal_weights = study.trained.model.settings.regularizer == "average";
  if (study.views.size() > 1) add(sentence_of_views(study.views, equal_weights));
  add(sentence_of_columns(study.columns));
  return answer;
}

std::vector<Warning> warnings_of_study(const TrainResult& trained,
                                       const std::optional<Expected>& expected) {
  std::vector<Warning> warnings = trained.warnings;
  if (!expected) return warnings;
  for (Warning& one : expected_warnings(*expected, "")) warnings.push_back(std::move(one));
  return warnings;
}

}  // namespace kernmix
