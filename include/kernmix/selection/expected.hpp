#pragma once
/// \file
/// Expected performance on new samples, estimated from held-out predictions: one value and one
/// interval for each metric, which all commands, their JSON and the report show.
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
  Index samples = 0;  ///< number of different samples that were predicted
  Index units = 0;    ///< number of independent units among them: samples, or groups
  /// Effective number of units, (sum w)^2 / sum w^2, where w is the sum of the sample weights of a
  /// unit.
  double effective = 0.0;
  Index trained = 0;          ///< training samples of a fold, averaged over the folds
  Index classes = 0;          ///< 0 unless each sample has one class
  double majority = 0.0;      ///< share of the most frequent class
  std::string most_frequent;  ///< this class; empty without classes
  std::vector<Metric> metrics;
  std::vector<std::string> remarks;  ///< metrics without a value or an interval, with the reason
  /// The metric of this name, or null.
  [[nodiscard]] const Metric* find(const std::string& name) const;
};

/// Shares, losses, counts and R^2 are computed from all held-out predictions together, because
/// labels, probabilities and predicted numbers of different models are comparable. Decision values
/// are not, so AUC is the mean over the folds, and so is average precision, corrected for what
/// small folds get by chance. Both omit folds of one class. A sample that several folds test counts
/// once in each interval.
///
/// Intervals: the delete-one jackknife over samples, or over groups, with the variance times 1.5
/// (shares of all samples, AUC, average precision) or 2 (losses, R^2, shares of one class) to
/// account for overlapping training sets; docs/explanation/expected-performance.md has their
/// coverage in simulations. There is no interval for fewer than 25 independent units or, for
/// metrics of a single class, fewer than ten in that class; units of unequal weight count by
/// `effective`. Sample weights enter all values.
/// \param groups group of each sample, or empty if samples are independent \returns nothing if the
/// predictions of a fold are missing or the folds have different class names
[[nodiscard]] std::optional<Expected> expected_performance(const CrossValidation& result,
                                                           Index model, const Dataset& data,
                                                           const std::vector<Fold>& folds,
                                                           const std::vector<Index>& groups);

/// Trains the choice of each outer fold of a nested search on its training part and predicts its
/// test part, as the cross-validation of one model. \param nested if incomplete, the result is
/// incomplete
[[nodiscard]] CrossValidation predict_nested(const Dataset& data,
                                             const std::vector<Candidate>& candidates,
                                             const std::vector<NestedFold>& folds,
                                             const NestedSearch& nested, const Context& context);

/// The outer folds.
[[nodiscard]] std::vector<Fold> outer_folds(const std::vector<NestedFold>& folds);

/// The pooled predictions with comparable decision values: for classes, labels and novelties the
/// relative rank of a sample in its fold, in (0, 1).
[[nodiscard]] PooledPrediction ranked_in_folds(PooledPrediction all,
                                               const std::vector<Fold>& folds);

}  // namespace kernmix
