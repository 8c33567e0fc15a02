#pragma once
/// \file
/// Held-out decision values by cross-fitting.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The labels with positive and negative samples, which can be learned.
[[nodiscard]] std::vector<Index> labels_of_both_signs(const MultiLabels& labels,
                                                      const std::vector<Index>& samples);

struct HeldOutDecisions {
  Matrix decision;          ///< n x outputs, as in Prediction
  std::vector<bool> known;  ///< for each output whether every fold could learn it
};

/// The model of a part of the data. \param rows its samples, for properties of samples
using FoldTraining = std::function<Model(const Dataset& part, const std::vector<Index>& rows)>;

/// Trains on the training part of each fold and predicts its test part. Scaling, widths and
/// normalisation are fitted in each fold. A fold learns only labels with positive and negative
/// samples. \param outputs columns of Prediction::decision; \param purpose "thresholds", for log
/// and errors \returns nothing if time ran out \throws ParameterError and DataError as `fit`, with
/// purpose and fold before the sentence
[[nodiscard]] std::optional<HeldOutDecisions> cross_fit(const Dataset& data,
                                                        const std::vector<Fold>& folds,
                                                        Index outputs, const FoldTraining& fit,
                                                        const std::string& purpose,
                                                        const Context& context);

/// The options for training on some samples: their weights and groups, without settings that only a
/// final model needs.
[[nodiscard]] TrainOptions options_on(const TrainOptions& options, const std::vector<Index>& rows);

/// The options without calibration and thresholds, which only a final model needs.
[[nodiscard]] TrainOptions without_cross_fits(TrainOptions options);

/// The same for a model within a cross-fit, which does not choose thresholds.
[[nodiscard]] TrainOptions fold_options(const TrainOptions& options,
                                        const std::vector<Index>& rows);

/// `folds` unstratified folds: of whole groups if there are any, otherwise random_folds(). \param
/// weights of samples in the size of their group; {}: all 1
/// \throws ParameterError for fewer groups than folds
[[nodiscard]] std::vector<Fold> folds_without_classes(Index n, const std::vector<Index>& groups,
                                                      ConstSpan weights, Index folds,
                                                      std::uint64_t seed);

}  // namespace kernmix
