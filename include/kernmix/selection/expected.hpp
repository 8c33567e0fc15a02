#pragma once
/// \file
/// What to expect of new samples, from predictions of samples that were held out: one value and one
/// interval for each metric, which every command, its JSON and the report show.
///
/// The estimand: performance on new samples of models trained by this procedure on as many samples
/// as a fold trains on.

#include <string>
#include <vector>

#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/selection/search.hpp"

namespace kernmix {

inline constexpr const char* expected_meaning =
    "performance on new samples of models trained by this procedure on as many samples as a fold "
    "trains on";

struct Expected {
  Index samples = 0;  ///< different ones that were predicted
  Index units = 0;    ///< of these that are independent: the samples, or their groups
  /// As many units of equal size as these are worth, (sum w)^2 / sum w^2 of the sums w of the
  /// weights of their samples.
  double effective = 0.0;
  Index trained = 0;          ///< samples that a fold trains on, the mean over folds
  Index classes = 0;          ///< of samples of one class each
  double majority = 0.0;      ///< share of the samples that are of the most frequent class
  std::string most_frequent;  ///< this class; empty where there are no classes
  std::vector<Metric> metrics;
  std::vector<std::string> remarks;  ///< which metrics have no value or interval, and why
  /// Of a metric by its name, null where there is none.
  [[nodiscard]] const Metric* find(const std::string& name) const;
};

/// Shares, losses, counts and R^2 are those of all held-out predictions together: labels,
/// probabilities and numbers of several models mean the same. Decision values of several models do
/// not, so AUC is the mean over the folds, and average precision ranks samples by their rank in
/// their fold. A sample that several folds test counts once in every interval.
///
/// Intervals: the delete-one jackknife over samples, or over groups, with the variance times 1.5
/// (shares of all samples, AUC, average precision) or 2 (losses, R^2, shares of one class) for what
/// training on overlapping samples adds; docs/explanation/expected-performance.md has their
/// coverage in simulations. There are none of fewer than 25 independent samples or groups, and, of
/// metrics that look at one class, of fewer than ten in a class; units of unequal weight or size
/// are as many as `effective` says. A sample counts in each value as often as its weight says.
/// \param groups  of each sample of the data, or empty: samples are independent \returns nothing
/// where predictions of a fold are missing, or folds learned different names
[[nodiscard]] std::optional<Expected> expected_performance(const CrossValidation& result,
                                                           Index model, const Dataset& data,
                                                           const std::vector<Fold>& folds,
                                                           const std::vector<Index>& groups);

/// Trains what a nested search chose in each outer fold on its train part, and predicts its test
/// part: one model. \param nested  complete, else the result is not
[[nodiscard]] CrossValidation predict_nested(const Dataset& data,
                                             const std::vector<Candidate>& candidates,
                                             const std::vector<NestedFold>& folds,
                                             const NestedSearch& nested, const Context& context);

/// The outer folds.
[[nodiscard]] std::vector<Fold> outer_folds(const std::vector<NestedFold>& folds);

/// The pooled predictions with decision values that can be compared: of classes, labels and
/// novelties the share of its fold that a sample is not ranked below, in (0, 1).
[[nodiscard]] PooledPrediction ranked_in_folds(PooledPrediction all,
                                               const std::vector<Fold>& folds);

}  // namespace kernmix
