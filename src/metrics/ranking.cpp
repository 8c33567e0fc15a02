#include <algorithm>
#include <cmath>
#include <limits>

#include "kernmix/metrics.hpp"
#include "metrics/intervals.hpp"
#include "metrics/placements.hpp"
#include "metrics/threshold_steps.hpp"

namespace kernmix {
double squared_error(ConstSpan y, ConstSpan placement, double sign, double mean) {
  double count = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (y[i] != sign) continue;
    count += 1.0;
    squares += (placement[i] - mean) * (placement[i] - mean);
  }
  return squares / (count - 1.0) / count;
}

Vector placements(ConstSpan y, ConstSpan decision, const std::vector<ThresholdStep>& curve) {
  const ThresholdStep& all = curve.back();
  Vector placement(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto at = std::lower_bound(
        curve.begin(), curve.end(), decision[i],
        [](const ThresholdStep& step, double value) { return step.threshold > value; });
    const ThresholdStep before = at == curve.begin() ? ThresholdStep{0.0, 0.0, 0.0} : *(at - 1);
    placement[i] = y[i] > 0.0
                       ? (all.negatives - (before.negatives + at->negatives) / 2.0) / all.negatives
                       : (before.positives + at->positives) / 2.0 / all.positives;
  }
  return placement;
}

Metric auc(ConstSpan y, ConstSpan decision) {
  if (y.empty()) return {"auc", {}, {}, {}};
  const auto curve = threshold_steps(y, decision);
  const ThresholdStep& all = curve.back();
  if (all.positives == 0.0 || all.negatives == 0.0) return {"auc", {}, {}, {}};
  const Vector placement = placements(y, decision, curve);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] > 0.0 ? placement[i] : 0.0;
  const double value = sum / all.positives;
  if (all.positives < 2.0 || all.negatives < 2.0) return {"auc", value, {}, {}};
  const double variance =
      squared_error(y, placement, 1.0, value) + squared_error(y, placement, -1.0, value);
  const double samples = std::min(all.positives, all.negatives);
  return with_wilson_interval("auc", value, effective_trials(value, variance, samples));
}

std::vector<RocPoint> roc_curve(ConstSpan y, ConstSpan decision) {
  if (y.empty()) return {};
  const auto curve = threshold_steps(y, decision);
  const ThresholdStep& all = curve.back();
  if (all.positives == 0.0 || all.negatives == 0.0) return {};
  std::vector<RocPoint> points = {{0.0, 0.0, std::numeric_limits<double>::infinity()}};
  for (const ThresholdStep& step : curve) {
    points.push_back(
        {step.negatives / all.negatives, step.positives / all.positives, step.threshold});
  }
  return points;
}

}  // namespace kernmix
