#pragma once
/// \file
/// Metrics of any model by one path, and which of them choose between models.

#include <string>
#include <vector>

#include "kernmix/metrics.hpp"
#include "kernmix/model.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// Every metric of predictions that is one number, in the order in which `kernmix evaluate` shows
/// them. Of many classes and of labels the averages over classes follow as "macro_f1", "micro_auc",
/// "weighted_precision", ...; of several targets "mean_r2" and the like; of a novelty detector the
/// share of outliers and, where the truth has two labels, "auc" and "balanced_accuracy".
/// \param truth  labels or numbers of the samples that were predicted
/// \param weights  how often each of them counts, > 0; {}: once
/// \throws DataError for labels that are missing or unknown to the model
[[nodiscard]] std::vector<Metric> scores(const Model& model, const Table& truth,
                                         const Prediction& prediction, ConstSpan weights = {});

/// What a model with one output says of each sample: +1 for its positive class, or an inlier, else
/// -1. The model that predicted has decided (by p > 0.5 where it is calibrated, else by the sign of
/// the decision value); every score of labels takes its word.
[[nodiscard]] Vector signs_of_labels(const Prediction& prediction);

/// The value of one of them. \throws ParameterError naming those that there are
[[nodiscard]] std::optional<double> score_called(const std::vector<Metric>& metrics,
                                                 const std::string& name);

/// A metric by which models are chosen.
struct ScoreRule {
  std::string name;
  bool larger_is_better = true;
  double best = 1.0;  ///< that no model can beat
  /// A score, or a mean of scores, without its rounding errors: the nearest multiple of a power of
  /// two, about 1e-9 of its size or of `best`. Means of the same shares in another order, such as
  /// those of 0.7, 0.9 and of 0.8, 0.8, are equal as such, and so are their differences. Everything
  /// that asks which of two scores is better, or whether they are tied, asks it of these.
  [[nodiscard]] double comparable(double score) const;
  /// left - right where they are comparably different, else 0.
  [[nodiscard]] double difference(double left, double right) const;
  /// Sorts the better first; tied ones are not better than each other, and absent values are worse
  /// than any other.
  [[nodiscard]] bool better(std::optional<double> left, std::optional<double> right) const;
};

/// \throws ParameterError for a name that is no metric, or one that says nothing of quality
[[nodiscard]] ScoreRule score_rule(const std::string& name);

/// What models of such tasks are chosen by where nothing else is asked: "accuracy" of classes,
/// "r2" of a number and "mean_r2" of several, "macro_average_precision" of labels, "auc" of
/// novelties. \throws DataError for novelties whose labels do not say which samples are outliers
[[nodiscard]] std::string default_score(const Table& table, const TrainOptions& options);

}  // namespace kernmix
