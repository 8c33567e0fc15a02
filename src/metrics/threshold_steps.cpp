#include "metrics/threshold_steps.hpp"

#include <algorithm>

#include "base/samples.hpp"

namespace kernmix {

std::vector<ThresholdStep> threshold_steps(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, decision.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return decision[i] > decision[j]; });
  std::vector<ThresholdStep> steps;
  ThresholdStep now{0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double count = weights.empty() ? 1.0 : weights[order[k]];
    (y[order[k]] > 0.0 ? now.positives : now.negatives) += count;
    now.threshold = decision[order[k]];
    const bool last_of_tie = k + 1 == order.size() || decision[order[k + 1]] < now.threshold;
    if (last_of_tie) steps.push_back(now);
  }
  return steps;
}

}  // namespace kernmix
