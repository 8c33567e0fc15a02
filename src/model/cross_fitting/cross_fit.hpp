#pragma once
/// \file
/// Decision values of samples that models were not trained on.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The labels that some of the samples have and others have not: those that can be learnt.
[[nodiscard]] std::vector<Index> labels_of_both_signs(const MultiLabels& labels,
                                                      const std::vector<Index>& samples);

struct HeldOutDecisions {
  Matrix decision;          ///< n x outputs, as of Prediction
  std::vector<bool> known;  ///< of each output: did every fold have samples to learn it from?
};

/// The model of a part of the data. \param rows  its samples, for what belongs to each of them
using FoldTraining = std::function<Model(const Dataset& part, const std::vector<Index>& rows)>;

/// Trains on each fold's training part and predicts its test part. Scaling, widths and
/// normalisation are those of each fold. Of labels, a fold learns those that some of its samples
/// have and others have not. \param outputs  columns of Prediction::decision;  \param purpose
/// "thresholds", for log and errors \returns nothing where time was up \throws ParameterError and
/// DataError as `fit`, with purpose and fold before the sentence
[[nodiscard]] std::optional<HeldOutDecisions> cross_fit(const Dataset& data,
                                                        const std::vector<Fold>& folds,
                                                        Index outputs, const FoldTraining& fit,
                                                        const std::string& purpose,
                                                        const Context& context);

/// The options for training on some samples: their own weights and groups, and nothing that only a
/// final model needs.
[[nodiscard]] TrainOptions options_on(const TrainOptions& options, const std::vector<Index>& rows);

/// Without what a final model alone chooses by models of its own: calibration and thresholds.
[[nodiscard]] TrainOptions without_cross_fits(TrainOptions options);

/// The same of a model that is part of a cross-fit, which chooses no thresholds of its own.
[[nodiscard]] TrainOptions fold_options(const TrainOptions& options,
                                        const std::vector<Index>& rows);

/// `folds` folds without regard to classes: of whole groups where there are any, else
/// random_folds(). \param weights  how often each sample counts in the size of its group; {}: once
/// \throws ParameterError for fewer groups than folds
[[nodiscard]] std::vector<Fold> folds_without_classes(Index n, const std::vector<Index>& groups,
                                                      ConstSpan weights, Index folds,
                                                      std::uint64_t seed);

}  // namespace kernmix
