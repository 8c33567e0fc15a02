// Of folds f with average precision A_f, whose mean over all permutations of the labels of their
// units, samples or groups, is E_f, and with a share r of positive samples in all of them together:
//
//     a = r + (1 - r) sum_f (A_f - E_f) / sum_f (1 - E_f)
//
// A ranking by chance has a = r, a perfect one a = 1, in folds of any size, while A_f itself is far
// above r by chance in a small fold: (1 + 1/2 + 1/3) / 3 = 0.61 for one positive sample of three.
// Folds of one class are omitted, so r is not the share p of new samples: Bayes' rule for a
// precision, a / (1 - a) ~ r / (1 - r), replaces r by p. tests/selection/fold_precision_test.cpp
// compares the result with the average precision of many samples.

#include "selection/expected/fold_precision.hpp"

#include <algorithm>

namespace kernmix {

void FoldPrecision::add(const RankedRows& fold) {
  const ThresholdSteps steps = threshold_steps(fold.y, fold.decision, fold.weights);
  if (steps.empty() || steps.back().positives == 0.0 || steps.back().negatives == 0.0) return;
  const double chance = precision_by_chance(fold, steps);
  above_chance_ += *average_precision(steps).value - chance;
  most_above_chance_ += 1.0 - chance;
  positives_ += steps.back().positives;
  samples_ += steps.back().positives + steps.back().negatives;
}

std::optional<double> FoldPrecision::at(double share) const {
  if (!(most_above_chance_ > 0.0)) return std::nullopt;
  const double own_share = positives_ / samples_;
  const double precision = own_share + (1.0 - own_share) * above_chance_ / most_above_chance_;
  const double right = std::clamp(precision, 0.0, 1.0) * share / own_share;
  const double wrong = std::clamp(1.0 - precision, 0.0, 1.0) * (1.0 - share) / (1.0 - own_share);
  return right / (right + wrong);
}

}  // namespace kernmix
