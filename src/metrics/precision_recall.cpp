#include <algorithm>
#include <cmath>

#include "kernmix/metrics.hpp"
#include "metrics/intervals.hpp"
#include "metrics/threshold_steps.hpp"
#include "metrics/weights.hpp"

namespace kernmix {
namespace {

double precision_at(const ThresholdStep& step) {
  return step.positives / (step.positives + step.negatives);
}

double relevant(const ThresholdSteps& curve) {
  return curve.empty() ? 0.0 : curve.back().positives;
}

/// best[k]: the largest precision at a recall of at least that of step k.
Vector best_precisions(const ThresholdSteps& curve) {
  Vector best(curve.size());
  double largest = 0.0;
  for (std::size_t k = curve.size(); k-- > 0;) {
    largest = std::max(largest, precision_at(curve[k]));
    best[k] = largest;
  }
  return best;
}

/// Of the average precision of independent samples, by the infinitesimal jackknife (Efron 1982):
/// with t the true and f the false positives down to a threshold, dt and df those at the threshold
/// only, and P positives, sum (dt (t / (t + f) - AP + A)^2 + df B^2) / P^2. A and B are the effects
/// of an additional positive or negative sample on the thresholds at and below its own: sum dt f /
/// (t + f)^2, sum dt t / (t + f)^2. A sample of weight w has w times this effect: dt and df of the
/// outer sum are those of squared weights.
double squared_error(const ThresholdSteps& curve, double value) {
  double sum = 0.0;
  double raised = 0.0;   // A
  double lowered = 0.0;  // B
  for (std::size_t k = curve.size(); k-- > 0;) {
    const ThresholdStep& step = curve[k];
    const ThresholdStep before = k > 0 ? curve[k - 1] : ThresholdStep{0.0, 0.0, 0.0, 0.0, 0.0};
    const double positives = step.positives - before.positives;
    const double called = step.positives + step.negatives;
    raised += positives * step.negatives / (called * called);
    lowered += positives * step.positives / (called * called);
    const double change = precision_at(step) - value + raised;
    sum += (step.positive_squares - before.positive_squares) * change * change +
           (step.negative_squares - before.negative_squares) * lowered * lowered;
  }
  return sum / (relevant(curve) * relevant(curve));
}

}  // namespace

Metric average_precision(const ThresholdSteps& curve) {
  const double all = relevant(curve);
  if (all == 0.0) return {"average_precision", {}, {}, {}};
  double value = 0.0;
  double found = 0.0;
  for (const ThresholdStep& step : curve) {
    value += (step.positives - found) / all * precision_at(step);
    found = step.positives;
  }
  value = std::min(value, 1.0);
  if (curve.back().negatives == 0.0) return {"average_precision", value, {}, {}};
  return with_wilson_interval(
      "average_precision", value,
      effective_trials(value, squared_error(curve, value), effective_positives(curve)));
}

Metric average_precision_11_point(const ThresholdSteps& curve) {
  const double all = relevant(curve);
  if (all == 0.0) return {"average_precision_11_point", {}, {}, {}};
  const Vector best = best_precisions(curve);
  double sum = 0.0;
  std::size_t k = 0;
  for (int tenth = 0; tenth <= 10; ++tenth) {
    while (10.0 * curve[k].positives < tenth * all) ++k;
    sum += best[k];
  }
  return {"average_precision_11_point", sum / 11.0, {}, {}};
}

Metric average_precision_interpolated(const ThresholdSteps& curve) {
  const double all = relevant(curve);
  if (all == 0.0) return {"average_precision_interpolated", {}, {}, {}};
  const Vector best = best_precisions(curve);
  double value = 0.0;
  double found = 0.0;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    value += (curve[k].positives - found) / all * best[k];
    found = curve[k].positives;
  }
  return {"average_precision_interpolated", std::min(value, 1.0), {}, {}};
}

Metric auc_pr(const ThresholdSteps& curve) {
  const double all = relevant(curve);
  if (all == 0.0) return {"auc_pr", {}, {}, {}};
  double area = 0.0;
  double found = 0.0;
  double before = 1.0;
  for (const ThresholdStep& step : curve) {
    area += (step.positives - found) / all * (before + precision_at(step)) / 2.0;
    found = step.positives;
    before = precision_at(step);
  }
  return {"auc_pr", std::min(area, 1.0), {}, {}};
}

Metric average_precision(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return average_precision(threshold_steps(y, decision, weights));
}

Metric average_precision_11_point(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return average_precision_11_point(threshold_steps(y, decision, weights));
}

Metric average_precision_interpolated(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return average_precision_interpolated(threshold_steps(y, decision, weights));
}

Metric auc_pr(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  require_weights(weights, y.size());
  return auc_pr(threshold_steps(y, decision, weights));
}

}  // namespace kernmix
