#pragma once
/// \file
/// What a model of one part of a data set says of another: in terms of the classes of all samples,
/// of which either part may lack some.

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// The classes of a data set, and the scheme that they call for.
struct WholeClasses {
  std::vector<std::string> names;  ///< empty where samples do not have one class each
  std::optional<TaskScheme> scheme;

  /// \throws DataError for fewer than two classes; ParameterError for the weight of a class that
  /// none of the samples has
  [[nodiscard]] static WholeClasses of(const Dataset& data, const TrainOptions& options);
  /// Places in the names of the classes that samples of a table have.
  [[nodiscard]] std::set<Index> in(const Table& table) const;
};

/// The options for training on some samples: their own weights and groups, and nothing that only a
/// final model needs.
[[nodiscard]] TrainOptions options_on(const TrainOptions& options, const std::vector<Index>& rows);

/// Without what a final model alone chooses by models of its own: calibration and thresholds.
[[nodiscard]] TrainOptions without_cross_fits(TrainOptions options);

/// options_on() a part: the scheme is that of the whole, and class weights are those of classes
/// that the part has. \param part  of the samples `rows`
[[nodiscard]] TrainOptions options_of_part(const WholeClasses& whole, const TrainOptions& options,
                                           const Dataset& part, const std::vector<Index>& rows);

struct PartAnswer {
  Prediction prediction;  ///< decision values of classes that the part lacks are -infinity
  Model learned;          ///< names, scheme, thresholds, settings: nothing to predict with
  std::optional<TrainResult> trained;  ///< absent where the part has one class, which all get
};

/// The only class that a part has of several, or nothing.
[[nodiscard]] std::optional<Index> only_class(const WholeClasses& whole, const Table& part);
/// Every one of `samples` gets the only class of the part.
[[nodiscard]] PartAnswer constant_answer(const WholeClasses& whole, const TrainOptions& options,
                                         Index only, Index samples);
/// \param prediction  by the model, in terms of the classes that it knows
[[nodiscard]] PartAnswer among_all_classes(const WholeClasses& whole, TrainResult trained,
                                           Prediction prediction);

}  // namespace kernmix
