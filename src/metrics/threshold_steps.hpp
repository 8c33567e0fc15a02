#pragma once
/// \file
/// What every curve of a ranking is made of, and the metrics of kernmix/metrics.hpp that it gives,
/// so that samples are sorted once for all of them.

#include <vector>

#include "kernmix/metrics.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Counts of both classes among the samples with decision >= threshold.
struct ThresholdStep {
  double threshold;
  double positives;
  double negatives;
  double positive_squares;  ///< sums of squared weights; the counts where each sample counts once
  double negative_squares;
};

/// One step for each distinct decision value, descending; ties are one step.
using ThresholdSteps = std::vector<ThresholdStep>;
/// \param weights  how often each sample counts; {}: once
[[nodiscard]] ThresholdSteps threshold_steps(ConstSpan y, ConstSpan decision,
                                             ConstSpan weights = {});

/// Independent samples of a class that the last step is worth.
[[nodiscard]] double effective_positives(const ThresholdSteps& steps);
[[nodiscard]] double effective_negatives(const ThresholdSteps& steps);

[[nodiscard]] Metric auc(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_11_point(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_interpolated(const ThresholdSteps& steps);
[[nodiscard]] Metric auc_pr(const ThresholdSteps& steps);
[[nodiscard]] std::vector<RocPoint> roc_curve(const ThresholdSteps& steps);

}  // namespace kernmix
