#pragma once
/// \file
/// The steps of ranking curves, and the ranking metrics of kernmix/metrics.hpp computed from them,
/// so that samples are sorted once for all.

#include <vector>

#include "kernmix/metrics.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Counts of both classes among the samples with decision >= threshold.
struct ThresholdStep {
  double threshold;
  double positives;
  double negatives;
  double positive_squares;  ///< sums of squared weights; equal to the counts for weights of 1
  double negative_squares;
};

/// One step for each distinct decision value, descending; values that are tied() are one step,
/// whose threshold is the least of them.
using ThresholdSteps = std::vector<ThresholdStep>;
/// \param weights sample weights; {}: all 1
[[nodiscard]] ThresholdSteps threshold_steps(ConstSpan y, ConstSpan decision,
                                             ConstSpan weights = {});

/// Effective number of samples of a class.
[[nodiscard]] double effective_positives(const ThresholdSteps& steps);
[[nodiscard]] double effective_negatives(const ThresholdSteps& steps);

[[nodiscard]] Metric auc(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_11_point(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_interpolated(const ThresholdSteps& steps);
[[nodiscard]] Metric auc_pr(const ThresholdSteps& steps);
[[nodiscard]] std::vector<RocPoint> roc_curve(const ThresholdSteps& steps);

}  // namespace kernmix
