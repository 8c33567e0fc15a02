#include <algorithm>
#include <cmath>
#include <limits>

#include "kernmix/metrics.hpp"
#include "metrics/intervals.hpp"
#include "metrics/placements.hpp"
#include "metrics/threshold_steps.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

/// The samples of one threshold, and the share of the other class relative to which each is ranked
/// correctly; ties count one half.
struct StepPlacement {
  double positives;
  double positive_squares;
  double negative_squares;
  double of_positives;
  double of_negatives;
};

std::vector<StepPlacement> placements(const ThresholdSteps& steps) {
  const ThresholdStep& all = steps.back();
  std::vector<StepPlacement> placed;
  ThresholdStep before{0.0, 0.0, 0.0, 0.0, 0.0};
  for (const ThresholdStep& step : steps) {
    placed.push_back({step.positives - before.positives,
                      step.positive_squares - before.positive_squares,
                      step.negative_squares - before.negative_squares,
                      (all.negatives - (before.negatives + step.negatives) / 2.0) / all.negatives,
                      (before.positives + step.positives) / 2.0 / all.positives});
    before = step;
  }
  return placed;
}

}  // namespace

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

Vector placements(ConstSpan y, ConstSpan decision, const ThresholdSteps& curve) {
  const ThresholdStep& all = curve.back();
  Vector placement(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto at = std::lower_bound(
        curve.begin(), curve.end(), decision[i],
        [](const ThresholdStep& step, double value) { return step.threshold > value; });
    const ThresholdStep before =
        at == curve.begin() ? ThresholdStep{0.0, 0.0, 0.0, 0.0, 0.0} : *(at - 1);
    placement[i] = y[i] > 0.0
                       ? (all.negatives - (before.negatives + at->negatives) / 2.0) / all.negatives
                       : (before.positives + at->positives) / 2.0 / all.positives;
  }
  return placement;
}

Metric auc(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return auc(threshold_steps(y, decision, weights));
}

std::vector<RocPoint> roc_curve(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return roc_curve(threshold_steps(y, decision, weights));
}

Metric auc(const ThresholdSteps& steps) {
  if (steps.empty()) return {"auc", {}, {}, {}};
  const auto& [lowest, positives, negatives, positive_squares, negative_squares] = steps.back();
  if (positives == 0.0 || negatives == 0.0) return {"auc", {}, {}, {}};
  const std::vector<StepPlacement> placed = placements(steps);
  double sum = 0.0;
  for (const StepPlacement& step : placed) sum += step.positives * step.of_positives;
  const double value = sum / positives;
  const double P = effective_positives(steps);
  const double N = effective_negatives(steps);
  if (P < 2.0 || N < 2.0) return {"auc", value, {}, {}};
  // S10 / P + S01 / N (DeLong et al. 1988, equation 5), with effective sample sizes.
  const double positive_copies = positive_squares / positives;
  const double negative_copies = negative_squares / negatives;
  double of_positives = 0.0;
  double of_negatives = 0.0;
  for (const StepPlacement& step : placed) {
    of_positives +=
        step.positive_squares / squared(positive_copies) * squared(step.of_positives - value);
    of_negatives +=
        step.negative_squares / squared(negative_copies) * squared(step.of_negatives - value);
  }
  const double variance = of_positives / (P - 1.0) / P + of_negatives / (N - 1.0) / N;
  return with_wilson_interval("auc", value, effective_trials(value, variance, std::min(P, N)));
}

std::vector<RocPoint> roc_curve(const ThresholdSteps& steps) {
  if (steps.empty()) return {};
  const ThresholdStep& all = steps.back();
  if (all.positives == 0.0 || all.negatives == 0.0) return {};
  std::vector<RocPoint> points = {{0.0, 0.0, std::numeric_limits<double>::infinity()}};
  for (const ThresholdStep& step : steps) {
    points.push_back(
        {step.negatives / all.negatives, step.positives / all.positives, step.threshold});
  }
  return points;
}

}  // namespace kernmix
