#include "metrics/threshold_steps.hpp"

#include <algorithm>

namespace kernmix {
namespace {

struct Counted {
  double decision;
  double count;
  bool positive;
};

}  // namespace

ThresholdSteps threshold_steps(ConstSpan y, ConstSpan decision, ConstSpan weights) {
  std::vector<Counted> descending(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) {
    descending[i] = {decision[i], weights.empty() ? 1.0 : weights[i], y[i] > 0.0};
  }
  std::ranges::stable_sort(descending, std::ranges::greater(), &Counted::decision);
  ThresholdSteps steps;
  ThresholdStep now{0.0, 0.0, 0.0};
  for (std::size_t k = 0; k < descending.size(); ++k) {
    const auto& [value, count, positive] = descending[k];
    (positive ? now.positives : now.negatives) += count;
    now.threshold = value;
    const bool last_of_tie = k + 1 == descending.size() || descending[k + 1].decision < value;
    if (last_of_tie) steps.push_back(now);
  }
  return steps;
}

}  // namespace kernmix
