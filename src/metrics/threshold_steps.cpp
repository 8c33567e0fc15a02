#include "metrics/threshold_steps.hpp"

#include <algorithm>

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
  for (std::size_t k = 0; k < descending.size(); ++k) {
    const auto& [value, count, positive] = descending[k];
    (positive ? now.positives : now.negatives) += count;
    (positive ? now.positive_squares : now.negative_squares) += count * count;
    now.threshold = value;
    const bool last_of_tie = k + 1 == descending.size() || descending[k + 1].decision < value;
    if (last_of_tie) steps.push_back(now);
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
