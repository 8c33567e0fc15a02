#include "kernmix/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernmix/error.hpp"
#include "metrics/intervals.hpp"
#include "metrics/threshold_steps.hpp"

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

Confusion confusion(ConstSpan y, ConstSpan decision) {
  check(y, decision);
  Confusion counts;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const bool called_positive = decision[i] >= 0.0;
    if (y[i] > 0.0) {
      ++(called_positive ? counts.true_positive : counts.false_negative);
    } else {
      ++(called_positive ? counts.false_positive : counts.true_negative);
    }
  }
  return counts;
}

Metric precision(const Confusion& counts) {
  return proportion("precision", counts.true_positive,
                    counts.true_positive + counts.false_positive);
}

Metric recall(const Confusion& counts) {
  return proportion("recall", counts.true_positive, counts.true_positive + counts.false_negative);
}

/// F1 = 2 J / (1 + J) is increasing in J = TP / (TP + FP + FN), a proportion.
Metric f1(const Confusion& counts) {
  const Index relevant = counts.true_positive + counts.false_positive + counts.false_negative;
  Metric metric = proportion("f1", counts.true_positive, relevant);
  for (auto* part : {&metric.value, &metric.low, &metric.high}) {
    if (*part) *part = 2.0 * **part / (1.0 + **part);
  }
  return metric;
}

Metric outlier_fraction(ConstSpan decision) {
  check(Vector(decision.size(), 1.0), decision);
  const auto outliers =
      std::count_if(decision.begin(), decision.end(), [](double value) { return value < 0.0; });
  return proportion("outlier_fraction", outliers, length(decision));
}

Metric proportion(const std::string& name, Index successes, Index trials) {
  if (trials == 0) return {name, {}, {}, {}};
  const auto n = static_cast<double>(trials);
  return with_wilson_interval(name, static_cast<double>(successes) / n, n);
}

Evaluation evaluate(ConstSpan y, ConstSpan decision) { return evaluate(y, decision, decision); }

Evaluation evaluate(ConstSpan y, ConstSpan decision, ConstSpan predicted) {
  check(y, decision);
  Evaluation result;
  result.confusion = confusion(y, predicted);
  const auto& [tp, fp, tn, fn] = result.confusion;
  result.samples = length(y);
  result.positives = tp + fn;
  const ThresholdSteps steps = threshold_steps(y, decision);
  const Metric sensitivity = recall(result.confusion);
  const Metric specificity = proportion("specificity", tn, tn + fp);
  result.metrics = {proportion("accuracy", tp + tn, result.samples),
                    mean_of("balanced_accuracy", sensitivity, specificity),
                    auc(steps),
                    average_precision(steps),
                    f1(result.confusion),
                    precision(result.confusion),
                    sensitivity,
                    specificity};
  result.roc = roc_curve(steps);
  return result;
}

}  // namespace kernmix
