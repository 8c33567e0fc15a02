#pragma once
/// \file
/// A model of one part of a data set, scored on another, with the classes of all samples, some of
/// which may be missing in a part.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/scores.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The classes of a data set, and the resulting scheme.
struct WholeClasses {
  std::vector<std::string> names;  ///< empty unless each sample has one class
  std::optional<TaskScheme> scheme;

  /// \throws DataError for fewer than two classes; ParameterError for a weight of a class without
  /// samples
  [[nodiscard]] static WholeClasses of(const Dataset& data, const TrainOptions& options);
};

/// `options` for training on a part: with the scheme of the whole data and class weights of the
/// classes in the part. \param part the samples `rows`, whose weights and groups are used
[[nodiscard]] TrainOptions options_of_part(const WholeClasses& whole, const TrainOptions& options,
                                           const Dataset& part, const std::vector<Index>& rows);

/// The test samples of a model of a part.
struct TestPart {
  const Dataset& data;
  Vector weights;  ///< sample weights; empty: all 1
};

/// The result for a part.
struct PartScore {
  /// Metrics of scores(). Samples of a class that is missing in the part count as errors; ranking
  /// and probability metrics are then undefined.
  std::vector<Metric> metrics;
  Prediction prediction;               ///< decision values of missing classes are -infinity
  Model learned;                       ///< only names, scheme, thresholds and settings
  std::optional<TrainResult> trained;  ///< absent if the part has only one class
};

/// Replaces -infinity by decision values below all others.
[[nodiscard]] Prediction with_finite_decisions(Prediction prediction);

/// Nothing if time ran out.
using TrainOnPart = std::function<std::optional<TrainResult>(const TrainOptions& options)>;

/// Predicts the other part; by default predict().
using PredictPart = std::function<Prediction(const Model& model)>;

/// The metrics of some of the test samples: PartScore::metrics of a test part with only these.
/// \param rows  of `test`
[[nodiscard]] std::vector<Metric> metrics_at(const WholeClasses& whole, const Dataset& part,
                                             const TestPart& test, const PartScore& score,
                                             const std::vector<Index>& rows);

/// Trains on a part and scores on another. \param options  of options_of_part()
/// \returns nothing if `train` does \throws as `train` and scores()
[[nodiscard]] std::optional<PartScore> score_part(const WholeClasses& whole,
                                                  const TrainOptions& options, const Dataset& part,
                                                  const TestPart& test, const TrainOnPart& train,
                                                  const Context& context,
                                                  const PredictPart& predict_test = {});

}  // namespace kernmix
