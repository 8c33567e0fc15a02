#pragma once
/// \file
/// Thresholds of labels by cross-fitting.

#include "kernmix/train.hpp"

namespace kernmix {

/// The threshold of the largest F1, the higher of equals: half-way between two decision values, or
/// the lowest of all. \param y  +1 or -1, some of them +1;  \param weights  how often each sample
/// counts; {}: once
[[nodiscard]] double best_f1_threshold(ConstSpan y, ConstSpan decision, ConstSpan weights = {});

/// Sets the threshold of every label to that of the largest F1 on decision values that models of
/// options.threshold_folds folds give the samples that they were not trained on. Scaling and
/// normalisation are those of each fold. A label that some fold's training part has always or never
/// keeps the threshold 0, which the log tells.
/// \returns whether there was time; else all thresholds are 0
bool choose_thresholds(const Dataset& data, const TrainOptions& options, const Context& context,
                       Model& model);

}  // namespace kernmix
