#pragma once
/// \file
/// What every curve of a ranking is made of: the counts at each threshold.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// Counts of both classes among the samples with decision >= threshold.
struct ThresholdStep {
  double threshold;
  double positives;
  double negatives;
};

/// One step for each distinct decision value, descending; ties are one step. \param weights  how
/// often each sample counts; {}: once
[[nodiscard]] std::vector<ThresholdStep> threshold_steps(ConstSpan y, ConstSpan decision,
                                                         ConstSpan weights = {});

}  // namespace kernmix
