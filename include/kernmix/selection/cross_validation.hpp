#pragma once
/// \file
/// Cross-validation of one or many models; kernels are computed once for each fold.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/selection/scores.hpp"
#include "kernmix/training.hpp"

namespace kernmix {

/// One model on one fold.
struct FoldScore {
  std::vector<Metric> metrics;  ///< of scores(), on the test part
  Prediction prediction;        ///< of the test part
  Vector weights;               ///< how often each of its samples counts; empty: once
  Model learned;  ///< names, scheme, thresholds and settings, without the data for prediction
  Status status = Status::stalled;
  double relative_gap = 1.0;
  Index kernels_used = 0;                     ///< with weight > 0
  std::map<std::string, double> view_shares;  ///< of the kernel weights, which add up to 1
  double solve_seconds = 0.0;
};

/// The share of each view in a model's kernel weights; all 0 if no kernel has weight.
[[nodiscard]] std::map<std::string, double> view_shares(const Model& model);

/// A metric over folds.
struct FoldMean {
  std::string name;
  Vector values;                 ///< of the folds that have a value, in order
  std::optional<double> mean;    ///< absent if no fold has a value
  std::optional<double> spread;  ///< standard deviation (n - 1) of two folds or more
};

/// Held-out predictions of several folds with their samples.
struct PooledPrediction {
  Model learned;  ///< as FoldScore::learned
  Table table;    ///< a sample for each prediction
  Prediction prediction;
  Vector weights;  ///< how often each of these counts; empty: once
};

struct CrossValidation {
  /// models x folds; a fold that was not finished in time has no metrics.
  std::vector<std::vector<FoldScore>> models;
  bool complete = true;  ///< false: the context said stop
  Reuse reuse;

  [[nodiscard]] std::vector<FoldMean> means(Index model) const;
  /// All held-out predictions together, in the order of the folds. Absent if folds are missing
  /// or have different names.
  [[nodiscard]] std::optional<PooledPrediction> pool(Index model, const Dataset& data,
                                                     const std::vector<Fold>& folds) const;
  /// Differences of a score of two models on the folds where both have it: first minus second.
  /// Equal folds are one draw and count once.
  [[nodiscard]] Vector differences(Index first, Index second, const std::string& score,
                                   const std::vector<Fold>& folds) const;
};

/// Trains each model on the train part of each fold and predicts its test part. Everything that is
/// learned (scaling, widths, normalisation) is learned of the train part. A label that all or none
/// of the samples of a train part have is left out there, which the log tells. Folds run side by
/// side on context.threads; the bits are those of one thread.
/// \param models  their sample weights are of all n samples; scores count test samples by them
/// \throws as train(), naming the fold
[[nodiscard]] CrossValidation cross_validate(const Dataset& data,
                                             const std::vector<TrainOptions>& models,
                                             const std::vector<Fold>& folds,
                                             const Context& context);

}  // namespace kernmix
