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
/// \throws DataError for labels that are missing or unknown to the model
[[nodiscard]] std::vector<Metric> scores(const Model& model, const Table& truth,
                                         const Prediction& prediction);

/// The value of one of them. \throws ParameterError naming those that there are
[[nodiscard]] std::optional<double> score_called(const std::vector<Metric>& metrics,
                                                 const std::string& name);

/// A metric by which models are chosen.
struct ScoreRule {
  std::string name;
  bool larger_is_better = true;
  double best = 1.0;  ///< that no model can beat
  /// Sorts the better first; absent values are worse than any other.
  [[nodiscard]] bool better(std::optional<double> left, std::optional<double> right) const;
};

/// \throws ParameterError for a name that is no metric, or one that says nothing of quality
[[nodiscard]] ScoreRule score_rule(const std::string& name);

/// What models of such tasks are chosen by where nothing else is asked: "accuracy" of classes,
/// "r2" of a number and "mean_r2" of several, "macro_average_precision" of labels, "auc" of
/// novelties.
[[nodiscard]] std::string default_score(const Table& table, const TrainOptions& options);

}  // namespace kernmix
