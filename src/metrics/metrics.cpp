#include "kernmix/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/error.hpp"
#include "metrics/counts.hpp"
#include "metrics/intervals.hpp"
#include "metrics/threshold_steps.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

void check(ConstSpan y, ConstSpan decision) {
  if (y.size() != decision.size() || y.empty()) {
    throw ParameterError(
        fmt::format("evaluation needs one decision value for each of at least one "
                    "label, got {} labels and {} values",
                    y.size(), decision.size()));
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != 1.0 && y[i] != -1.0) {
      throw ParameterError(fmt::format("label {} must be +1 or -1, got {}", i + 1, y[i]));
    }
    if (!std::isfinite(decision[i])) {
      throw ParameterError(fmt::format("decision value {} is not finite", i + 1));
    }
  }
}

/// The counts with the other class as the positive one.
Confusion of_other_class(const Confusion& counts) {
  const auto& [tp, fp, tn, fn, squares] = counts;
  Confusion other{tn, fn, tp, fp, {}};
  if (squares) {
    other.squares = {squares->true_negative, squares->false_negative, squares->true_positive,
                     squares->false_positive};
  }
  return other;
}

Metric accuracy(const Confusion& counts) {
  const auto& [tp, fp, tn, fn, weighted] = counts;
  const Confusion::Squares squares = squares_of(counts);
  return weighted_proportion("accuracy", tp + tn, tp + fp + tn + fn,
                             squares.true_positive + squares.false_positive +
                                 squares.true_negative + squares.false_negative);
}

/// Mean of two independent proportions; interval by MOVER (Zou and Donner 2008): the distances of
/// each proportion to its own limits are combined like standard errors.
Metric mean_of(const std::string& name, const Metric& left, const Metric& right) {
  if (!left.value || !right.value) return {name, {}, {}, {}};
  const double value = (*left.value + *right.value) / 2.0;
  const double down = std::hypot(*left.value - *left.low, *right.value - *right.low) / 2.0;
  const double up = std::hypot(*left.high - *left.value, *right.high - *right.value) / 2.0;
  return {name, value, value - down, value + up};
}

}  // namespace

Confusion confusion(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  check(y, decision);
  require_weights(weights, y.size());
  Confusion counts;
  for (std::size_t i = 0; i < y.size(); ++i) {
    count_outcome(y[i] > 0.0, decision[i] >= 0.0, weight_at(weights, i), counts);
  }
  if (weights.empty()) counts.squares.reset();
  return counts;
}

Metric precision(const Confusion& counts) {
  const Confusion::Squares squares = squares_of(counts);
  return weighted_proportion("precision", counts.true_positive,
                             counts.true_positive + counts.false_positive,
                             squares.true_positive + squares.false_positive);
}

Metric recall(const Confusion& counts) {
  const Confusion::Squares squares = squares_of(counts);
  return weighted_proportion("recall", counts.true_positive,
                             counts.true_positive + counts.false_negative,
                             squares.true_positive + squares.false_negative);
}

/// F1 = 2 J / (1 + J) is increasing in J = TP / (TP + FP + FN), a proportion.
Metric f1(const Confusion& counts) {
  const Confusion::Squares squares = squares_of(counts);
  Metric metric =
      weighted_proportion("f1", counts.true_positive,
                          counts.true_positive + counts.false_positive + counts.false_negative,
                          squares.true_positive + squares.false_positive + squares.false_negative);
  for (auto* part : {&metric.value, &metric.low, &metric.high}) {
    if (*part) *part = 2.0 * **part / (1.0 + **part);
  }
  return metric;
}

Metric outlier_fraction(ConstSpan decision, ConstSpan weights) {
  const Confusion counts = confusion(Vector(decision.size(), 1.0), decision, weights);
  const Confusion::Squares squares = squares_of(counts);
  return weighted_proportion("outlier_fraction", counts.false_negative,
                             counts.true_positive + counts.false_negative,
                             squares.true_positive + squares.false_negative);
}

Metric proportion(const std::string& name, Index successes, Index trials) {
  if (trials == 0) return {name, {}, {}, {}};
  const auto n = static_cast<double>(trials);
  return with_wilson_interval(name, static_cast<double>(successes) / n, n);
}

Evaluation evaluate(ConstSpan y, ConstSpan decision) { return evaluate(y, decision, decision); }

Evaluation evaluate(ConstSpan y, ConstSpan decision, ConstSpan predicted, ConstSpan weights) {
  check(y, decision);
  Evaluation result;
  result.confusion = confusion(y, predicted, weights);
  result.samples = length(y);
  result.positives = std::ranges::count(y, 1.0);
  const ThresholdSteps steps = threshold_steps(y, decision, weights);
  const Metric sensitivity = recall(result.confusion);
  const Metric specificity = recall(of_other_class(result.confusion));
  result.metrics = {accuracy(result.confusion),
                    mean_of("balanced_accuracy", sensitivity, specificity),
                    auc(steps),
                    average_precision(steps),
                    f1(result.confusion),
                    precision(result.confusion),
                    sensitivity,
                    {"specificity", specificity.value, specificity.low, specificity.high}};
  result.roc = roc_curve(steps);
  return result;
}

}  // namespace kernmix
