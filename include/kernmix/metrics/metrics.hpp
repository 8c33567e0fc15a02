#pragma once
/// \file
/// How good predictions are, with 95 % intervals. A value that the data cannot give (one class is
/// missing, nothing was predicted positive) is absent, never NaN.

#include <optional>
#include <string>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// A value with its 95 % confidence interval.
struct Metric {
  std::string name;
  std::optional<double> value;
  std::optional<double> low;  ///< present together with `high`
  std::optional<double> high;
};

/// Counts at the threshold 0; a decision value of 0 counts as predicted positive.
struct Confusion {
  Index true_positive = 0;
  Index false_positive = 0;
  Index true_negative = 0;
  Index false_negative = 0;
};

/// One corner of a receiver operating characteristic.
struct RocPoint {
  double false_positive_rate = 0.0;
  double true_positive_rate = 0.0;
  double threshold = 0.0;  ///< samples with decision >= threshold are called positive
};

struct Evaluation {
  Index samples = 0;
  Index positives = 0;
  Confusion confusion;
  /// accuracy, balanced_accuracy, auc, average_precision, f1, precision, recall, specificity
  std::vector<Metric> metrics;
  std::vector<RocPoint> roc;  ///< from (0, 0) to (1, 1); empty when a class is missing
};

/// Every metric of decision values against labels.
/// \param y labels +1 or -1, at least one;  \param decision finite values, same length
/// \throws ParameterError when lengths differ, a label is not +-1 or a value is not finite
[[nodiscard]] Evaluation evaluate(ConstSpan y, ConstSpan decision);

[[nodiscard]] Confusion confusion(ConstSpan y, ConstSpan decision);

[[nodiscard]] Metric precision(const Confusion& counts);  ///< TP / (TP + FP)
[[nodiscard]] Metric recall(const Confusion& counts);     ///< TP / (TP + FN)
[[nodiscard]] Metric f1(const Confusion& counts);         ///< 2 TP / (2 TP + FP + FN)

/// Share of (positive, negative) pairs in the right order, ties counting one half. Interval:
/// Wilson's for as many trials as give DeLong's variance (1988); absent where a class has fewer
/// than two samples.
[[nodiscard]] Metric auc(ConstSpan y, ConstSpan decision);

/// sum_k (recall_k - recall_{k-1}) precision_k over distinct thresholds, descending. Interval:
/// Wilson's for as many trials as give the variance of the infinitesimal jackknife (Efron 1982);
/// absent without negative ones, where it is 1 whatever the values.
[[nodiscard]] Metric average_precision(ConstSpan y, ConstSpan decision);

/// The mean over the recalls r = 0, 0.1, ..., 1 of the largest precision at a recall >= r
/// (Everingham et al. 2010, the measure of VOC2007). Without interval.
[[nodiscard]] Metric average_precision_11_point(ConstSpan y, ConstSpan decision);

/// As average_precision, with the largest precision at the recall of a threshold or more in place
/// of its own (the measure of VOC2010). Without interval.
[[nodiscard]] Metric average_precision_interpolated(ConstSpan y, ConstSpan decision);

/// Area under the straight lines between the points (recall, precision) of the distinct thresholds,
/// from (0, 1) on. Too optimistic (Davis and Goadrich 2006); average_precision is not. Without
/// interval.
[[nodiscard]] Metric auc_pr(ConstSpan y, ConstSpan decision);

/// One point for each distinct decision value, preceded by (0, 0) at threshold +infinity.
[[nodiscard]] std::vector<RocPoint> roc_curve(ConstSpan y, ConstSpan decision);

/// Share of decision values below 0, which a novelty detector calls outliers, as a proportion.
/// \throws ParameterError when there is none or one is not finite
[[nodiscard]] Metric outlier_fraction(ConstSpan decision);

/// A proportion with its Wilson score interval; absent value when `trials` is 0.
[[nodiscard]] Metric proportion(const std::string& name, Index successes, Index trials);

}  // namespace kernmix
