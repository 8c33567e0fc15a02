#pragma once
/// \file
/// Metrics of any kind of model, and the metrics by which models are selected.

#include <string>
#include <vector>

#include "kernmix/metrics.hpp"
#include "kernmix/model.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// Every scalar metric of predictions, in the order of `kernmix evaluate`.
/// For many classes and for labels the averages over classes follow as "macro_f1", "micro_auc",
/// "weighted_precision", ...; for several targets "mean_r2" and others; for a novelty detector the
/// share of outliers and, if the truth has two labels, "auc" and "balanced_accuracy".
/// \param truth  labels or numbers of the samples that were predicted
/// \param weights  weight of each sample, > 0; {}: 1
/// \throws DataError for labels that are missing or unknown to the model
[[nodiscard]] std::vector<Metric> scores(const Model& model, const Table& truth,
                                         const Prediction& prediction, ConstSpan weights = {});

/// The predicted labels of a model with one output: +1 for its positive class, or an inlier,
/// otherwise -1. The model decides by p > 0.5 if it is calibrated, otherwise by the sign of
/// the decision value; all scores of labels use these.
[[nodiscard]] Vector signs_of_labels(const Prediction& prediction);

/// The value of a metric by name. \throws ParameterError naming the available metrics
[[nodiscard]] std::optional<double> score_called(const std::vector<Metric>& metrics,
                                                 const std::string& name);

/// A metric by which models are selected.
struct ScoreRule {
  std::string name = {};
  bool larger_is_better = true;
  double best = 1.0;  ///< the best possible value
  /// A score, or a mean of scores, without its rounding errors: the nearest multiple of a power of
  /// two, about 1e-9 of its size or of `best`. Means of the same shares in another order, such as
  /// those of 0.7, 0.9 and of 0.8, 0.8, become equal, and so do their differences. All
  /// comparisons of scores use these values.
  [[nodiscard]] double comparable(double score) const;
  /// left - right if their comparable values differ, otherwise 0.
  [[nodiscard]] double difference(double left, double right) const;
  /// Whether left is better than right, for sorting: ties are not better than each other, and
  /// absent values are worse than all others.
  [[nodiscard]] bool better(std::optional<double> left, std::optional<double> right) const;
};

/// \throws ParameterError for an unknown metric, or one that does not measure quality
[[nodiscard]] ScoreRule score_rule(const std::string& name);

/// The default score for selection: "accuracy" for classes, "r2" for a number and "mean_r2" for
/// several, "macro_average_precision" for labels, "auc" for novelty detection. \throws DataError
/// if the labels of novelty detection do not tell which samples are outliers
[[nodiscard]] std::string default_score(const Table& table, const TrainOptions& options);

}  // namespace kernmix
