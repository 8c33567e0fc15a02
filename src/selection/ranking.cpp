#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernmix/selection/metrics.hpp"
#include "selection/intervals.hpp"

namespace kernmix {
namespace {

std::vector<std::size_t> descending(ConstSpan values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return values[i] > values[j]; });
  return order;
}

/// Counts of both classes among the samples with decision >= threshold.
struct Step {
  double threshold;
  double positives;
  double negatives;
};

/// One step for each distinct decision value, descending.
std::vector<Step> steps(ConstSpan y, ConstSpan decision) {
  std::vector<Step> result;
  Step now{0.0, 0.0, 0.0};
  const auto order = descending(decision);
  for (std::size_t k = 0; k < order.size(); ++k) {
    (y[order[k]] > 0.0 ? now.positives : now.negatives) += 1.0;
    now.threshold = decision[order[k]];
    const bool last_of_tie = k + 1 == order.size() || decision[order[k + 1]] < now.threshold;
    if (last_of_tie) result.push_back(now);
  }
  return result;
}

/// placement[i]: share of the other class that sample i is ordered rightly against, ties one half.
Vector placements(ConstSpan y, ConstSpan decision, const std::vector<Step>& curve) {
  const Step& all = curve.back();
  Vector placement(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto at =
        std::lower_bound(curve.begin(), curve.end(), decision[i],
                         [](const Step& step, double value) { return step.threshold > value; });
    const Step before = at == curve.begin() ? Step{0.0, 0.0, 0.0} : *(at - 1);
    placement[i] = y[i] > 0.0
                       ? (all.negatives - (before.negatives + at->negatives) / 2.0) / all.negatives
                       : (before.positives + at->positives) / 2.0 / all.positives;
  }
  return placement;
}

/// Sample variance of the placements of one class, divided by its size.
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

}  // namespace

Metric auc(ConstSpan y, ConstSpan decision) {
  if (y.empty()) return {"auc", {}, {}, {}};
  const auto curve = steps(y, decision);
  const Step& all = curve.back();
  if (all.positives == 0.0 || all.negatives == 0.0) return {"auc", {}, {}, {}};
  const Vector placement = placements(y, decision, curve);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] > 0.0 ? placement[i] : 0.0;
  const double value = sum / all.positives;
  if (all.positives < 2.0 || all.negatives < 2.0) return {"auc", value, {}, {}};
  const double variance =
      squared_error(y, placement, 1.0, value) + squared_error(y, placement, -1.0, value);
  if (variance <= 0.0) return {"auc", value, {}, {}};
  return with_logit_interval("auc", value, std::sqrt(variance) / (value * (1.0 - value)));
}

Metric average_precision(ConstSpan y, ConstSpan decision) {
  if (y.empty()) return {"average_precision", {}, {}, {}};
  const auto curve = steps(y, decision);
  const double all = curve.back().positives;
  if (all == 0.0) return {"average_precision", {}, {}, {}};
  double value = 0.0;
  double found = 0.0;
  for (const Step& step : curve) {
    value += (step.positives - found) / all * step.positives / (step.positives + step.negatives);
    found = step.positives;
  }
  value = std::min(value, 1.0);
  return with_logit_interval("average_precision", value,
                             1.0 / std::sqrt(all * value * (1.0 - value)));
}

std::vector<RocPoint> roc_curve(ConstSpan y, ConstSpan decision) {
  if (y.empty()) return {};
  const auto curve = steps(y, decision);
  const Step& all = curve.back();
  if (all.positives == 0.0 || all.negatives == 0.0) return {};
  std::vector<RocPoint> points = {{0.0, 0.0, std::numeric_limits<double>::infinity()}};
  for (const Step& step : curve) {
    points.push_back(
        {step.negatives / all.negatives, step.positives / all.positives, step.threshold});
  }
  return points;
}

}  // namespace kernmix
