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
};

/// One step for each distinct decision value, descending; ties are one step.
using ThresholdSteps = std::vector<ThresholdStep>;
/// \param weights  how often each sample counts; {}: once
[[nodiscard]] ThresholdSteps threshold_steps(ConstSpan y, ConstSpan decision,
                                             ConstSpan weights = {});

[[nodiscard]] Metric auc(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_11_point(const ThresholdSteps& steps);
[[nodiscard]] Metric average_precision_interpolated(const ThresholdSteps& steps);
[[nodiscard]] Metric auc_pr(const ThresholdSteps& steps);
[[nodiscard]] std::vector<RocPoint> roc_curve(const ThresholdSteps& steps);

}  // namespace kernmix
