#include "metrics/threshold_steps.hpp"

#include <algorithm>

#include "base/ranks/ties.hpp"
#include "metrics/weights.hpp"

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
    descending[i] = {decision[i], weight_at(weights, i), y[i] > 0.0};
  }
  std::ranges::stable_sort(descending, std::ranges::greater(), &Counted::decision);
  ThresholdSteps steps;
  ThresholdStep now{0.0, 0.0, 0.0, 0.0, 0.0};
  std::size_t first_of_tie = 0;
  for (std::size_t k = 0; k < descending.size(); ++k) {
    const auto& [value, count, positive] = descending[k];
    (positive ? now.positives : now.negatives) += count;
    (positive ? now.positive_squares : now.negative_squares) += count * count;
    now.threshold = value;
    if (k + 1 < descending.size() &&
        tied(descending[first_of_tie].decision, descending[k + 1].decision)) {
      continue;
    }
    steps.push_back(now);
    first_of_tie = k + 1;
  }
  return steps;
}

double effective_positives(const ThresholdSteps& steps) {
  return effective_size(steps.back().positives, steps.back().positive_squares);
}

double effective_negatives(const ThresholdSteps& steps) {
  return effective_size(steps.back().negatives, steps.back().negative_squares);
}

}  // namespace kernmix
