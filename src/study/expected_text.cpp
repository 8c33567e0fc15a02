#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "base/samples.hpp"
#include "kernmix/study.hpp"
#include "model/named_matrices.hpp"

namespace kernmix {
namespace {

/// The share in per cent as an integer.
std::string of_hundred(double share) { return fmt::format("{:.0f}", 100.0 * share); }

std::string sentence_of_classes(const Expected& expected, const Metric& accuracy) {
  const double guess = expected.majority;
  const bool unsure = accuracy.low && *accuracy.value > guess && *accuracy.low <= guess;
  return fmt::format(
      "Expected: right for {} of 100 new samples like these{}; always saying '{}' is right for "
      "{}.{}",
      of_hundred(*accuracy.value), interval_of_hundred(accuracy), expected.most_frequent,
      of_hundred(guess),
      unsure ? "  This is within the interval: the difference may be chance." : "");
}

std::string sentence_of_numbers(const Metric& r2) {
  if (*r2.value <= 0.0) {
    return "Expected: predictions of new samples are no better than always predicting the mean.";
  }
  return fmt::format(
      "Expected: {} % of the variance of new samples is explained{}; always predicting the mean "
      "explains 0.",
      of_hundred(*r2.value), interval_of_hundred(r2));
}

struct Majority {
  std::string name;
  double share;
  Index classes;
};

/// Decision values of two classes that rank samples above chance: only the threshold is wrong.
std::string ranking_text(const std::vector<Metric>& metrics) {
  constexpr double chance = 0.5;
  const auto auc = std::ranges::find(metrics, "auc", &Metric::name);
  if (auc == metrics.end() || !auc->value || auc->low.value_or(chance) <= chance) return "";
  return fmt::format(
      "; but the decision values rank the samples better than chance (AUC {:.2f}), so that the "
      "threshold is wrong: use a larger C or calibrated probabilities",
      *auc->value);
}

/// Accuracy is not above that of the majority class, and balanced accuracy does not differ
/// significantly from chance.
std::vector<Warning> warnings_of(const std::vector<Metric>& metrics, const Majority& majority,
                                 const std::string& subject) {
  const auto by_name = [&](const char* name) {
    return std::ranges::find(metrics, name, &Metric::name);
  };
  const auto accuracy = by_name("accuracy");
  if (accuracy == metrics.end() || !accuracy->value) return {};
  constexpr double rounding = 1e-9;
  if (*accuracy->value > majority.share + rounding) return {};
  const auto balanced = by_name("balanced_accuracy");
  const bool known = balanced != metrics.end() && balanced->value;
  const double guess = 1.0 / static_cast<double>(majority.classes);
  if (known && balanced->low.value_or(*balanced->value) > guess + rounding) return {};
  return {{"no-better-than-majority",
           fmt::format(
               "{} no better than always saying '{}': {} % of the labels are right, and {} % by "
               "that rule{}",
               subject, majority.name, of_hundred(*accuracy->value), of_hundred(majority.share),
               ranking_text(metrics)),
           {}}};
}

/// Ids that only number the rows occur in other samples, too.
bool are_of_training(const Model& model, const Table& table) {
  if (model.support_ids.empty() || table.ids.empty() || only_count(table.ids)) return false;
  const std::unordered_set<std::string_view> ids(table.ids.begin(), table.ids.end());
  return std::ranges::all_of(model.support_ids,
                             [&](const std::string& id) { return ids.contains(id); });
}

std::vector<Warning> warnings_of_classes(const Model& model, const Table& table,
                                         const Prediction& prediction, ConstSpan weights) {
  if (model.target != Target::classes || model.of_labels()) return {};
  std::vector<double> counts(model.names.size(), 0.0);
  const std::vector<Index> classes = ClassLabels{model.names}.encode(table.labels);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    counts[to_size(classes[i])] += weight_at(weights, i);
  }
  const auto most = std::ranges::max_element(counts);
  const std::string& most_frequent = model.names[to_size(most - counts.begin())];
  if (std::ranges::count(counts, 0.0) + 1 == length(counts)) {
    return {{"one-class-evaluated",
             fmt::format("all samples are '{}': these samples do not show whether the model "
                         "distinguishes the classes; evaluate samples of all classes",
                         most_frequent),
             {}}};
  }
  const Majority majority{most_frequent, *most / std::accumulate(counts.begin(), counts.end(), 0.0),
                          length(model.names)};
  return warnings_of(scores(model, table, prediction, weights), majority,
                     "on these samples the model is");
}

}  // namespace

std::string interval_of_hundred(const Metric& metric) {
  if (!metric.low || !metric.high) return "";
  return fmt::format(" (95 % interval {} to {})", of_hundred(*metric.low),
                     of_hundred(*metric.high));
}

std::string answer_sentence(const Expected& expected) {
  const Metric* const accuracy = expected.find("accuracy");
  if (accuracy != nullptr && accuracy->value && !expected.most_frequent.empty()) {
    return sentence_of_classes(expected, *accuracy);
  }
  const Metric* const r2 = expected.find("r2");
  return r2 != nullptr && r2->value ? sentence_of_numbers(*r2) : "";
}

std::vector<Warning> expected_warnings(const Expected& expected, const std::string& name) {
  if (expected.most_frequent.empty()) return {};
  const Majority majority{expected.most_frequent, expected.majority, expected.classes};
  return warnings_of(
      expected.metrics, majority,
      (name.empty() ? "" : name + ": ") + "on new samples the model is expected to be");
}

std::vector<Warning> evaluation_warnings(const Model& model, const Table& table,
                                         const Prediction& prediction, ConstSpan weights) {
  std::vector<Warning> warnings = warnings_of_classes(model, table, prediction, weights);
  if (are_of_training(model, table)) {
    warnings.push_back(
        {"training-samples-evaluated",
         fmt::format("all {} support vectors of the model are among these samples, so they were "
                     "used in training and the performance is optimistic; evaluate other samples",
                     model.support_ids.size()),
         {}});
  }
  return warnings;
}

}  // namespace kernmix
