#pragma once
/// \file
/// A model of one part of a data set, scored on another: in terms of the classes of all samples,
/// of which either part may lack some.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/selection/scores.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The classes of a data set, and the scheme that they call for.
struct WholeClasses {
  std::vector<std::string> names;  ///< empty where samples do not have one class each
  std::optional<TaskScheme> scheme;

  /// \throws DataError for fewer than two classes; ParameterError for the weight of a class that
  /// none of the samples has
  [[nodiscard]] static WholeClasses of(const Dataset& data, const TrainOptions& options);
};

/// `options` for training on a part: the scheme is that of the whole, and class weights are those
/// of classes that the part has. \param part  of the samples `rows`, whose weights and groups are
/// taken
[[nodiscard]] TrainOptions options_of_part(const WholeClasses& whole, const TrainOptions& options,
                                           const Dataset& part, const std::vector<Index>& rows);

/// The samples that a model of a part is scored on.
struct TestPart {
  const Dataset& data;
  Vector weights;  ///< how often each counts; empty: once
};

/// What came of a part.
struct PartScore {
  /// Of scores(). Samples of a class that the part lacks count as errors; metrics of ranking and of
  /// probabilities have no value then.
  std::vector<Metric> metrics;
  Prediction prediction;  ///< decision values of classes that the part lacks are -infinity
  Model learned;          ///< names, scheme, thresholds, settings: nothing to predict with
  std::optional<TrainResult> trained;  ///< absent where the part has one class, which all get
};

/// With decision values below all others in place of -infinity.
[[nodiscard]] Prediction with_finite_decisions(Prediction prediction);

/// Nothing where time was up.
using TrainOnPart = std::function<std::optional<TrainResult>(const TrainOptions& options)>;

/// Predicts the other part; predict() where it is empty.
using PredictPart = std::function<Prediction(const Model& model)>;

/// The metrics of some of the test samples: PartScore::metrics of a test part with these alone.
/// \param rows  of `test`
[[nodiscard]] std::vector<Metric> metrics_at(const WholeClasses& whole, const Dataset& part,
                                             const TestPart& test, const PartScore& score,
                                             const std::vector<Index>& rows);

/// Trains on a part and scores on another. \param options  of options_of_part()
/// \returns nothing where `train` does \throws as `train` and scores()
[[nodiscard]] std::optional<PartScore> score_part(const WholeClasses& whole,
                                                  const TrainOptions& options, const Dataset& part,
                                                  const TestPart& test, const TrainOnPart& train,
                                                  const Context& context,
                                                  const PredictPart& predict_test = {});

}  // namespace kernmix
