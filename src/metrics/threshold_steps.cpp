#include "metrics/threshold_steps.hpp"

#include <algorithm>
#include <utility>

namespace kernmix {

ThresholdSteps threshold_steps(ConstSpan y, ConstSpan decision) {
  std::vector<std::pair<double, bool>> descending(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) descending[i] = {decision[i], y[i] > 0.0};
  std::ranges::sort(descending, std::ranges::greater(), &std::pair<double, bool>::first);
  ThresholdSteps steps;
  ThresholdStep now{0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < descending.size(); ++k) {
    const auto [value, positive] = descending[k];
    (positive ? now.positives : now.negatives) += 1.0;
    now.threshold = value;
    const bool last_of_tie = k + 1 == descending.size() || descending[k + 1].first < value;
    if (last_of_tie) steps.push_back(now);
  }
  return steps;
}

}  // namespace kernmix
