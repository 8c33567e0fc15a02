#pragma once
/// \file
/// Held-out decision values by cross-fitting.

#include <optional>
#include <vector>

#include "kernmix/folds.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

struct DescribedKernels;

struct HeldOutDecisions {
  Matrix decision;          ///< n x outputs, as in Prediction
  std::vector<bool> known;  ///< for each output whether every fold could learn it
};

/// What is cross-fitted.
struct CrossFitted {
  const Dataset& data;
  const std::vector<Fold>& folds;
  Index outputs;                              ///< columns of Prediction::decision
  const char* purpose;                        ///< "thresholds": for progress, log and errors
  const DescribedKernels* kernels = nullptr;  ///< in place of those of the options
};

/// Trains on each fold's training part and predicts its test part, without calibration and
/// thresholds. Scaling, widths and normalisation are those of each fold. Of labels, a fold learns
/// those that some of its samples have and others have not.
/// \returns nothing if time ran out \throws ParameterError and DataError as train(), with purpose
/// and fold before the sentence
[[nodiscard]] std::optional<HeldOutDecisions> cross_fit(const CrossFitted& of,
                                                        const TrainOptions& options,
                                                        const Context& context);

/// `folds` unstratified folds: of whole groups if there are any, otherwise random_folds(). \param
/// weights of samples in the size of their group; {}: all 1
/// \throws ParameterError for fewer groups than folds
[[nodiscard]] std::vector<Fold> folds_without_classes(Index n, const std::vector<Index>& groups,
                                                      ConstSpan weights, Index folds,
                                                      std::uint64_t seed);

}  // namespace kernmix
