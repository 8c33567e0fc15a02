#pragma once
/// \file
/// Thresholds of labels by cross-fitting.

#include "kernmix/train.hpp"

namespace kernmix {

struct DescribedKernels;

/// The threshold with the largest F1, the highest of ties: a midpoint between two decision values,
/// or the lowest value. \param y +1 or -1, at least one +1; \param weights of the samples; {}: all
/// 1
[[nodiscard]] double best_f1_threshold(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// Sets the threshold of each label to that with the largest F1 on held-out decision values from
/// options.threshold_folds folds. Scaling and normalisation are fitted in each fold. A label that
/// all or no training samples of some fold have keeps the threshold 0, with a message in the log.
/// \param kernels  of the model, in place of those of the options; or null
/// \returns false if time runs out; all thresholds are then 0
bool choose_thresholds(const Dataset& data, const TrainOptions& options,
                       const DescribedKernels* kernels, const Context& context, Model& model);

}  // namespace kernmix
