#pragma once
/// \file
/// Claim `calibration`: cross-fitted once more, the probabilities are the same.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"
#include "model/targets.hpp"

namespace kernmix {

/// The mean over the training samples of the difference of probabilities that is let pass: models
/// of a fold that end at other points within the tolerance, as on another machine, differ by so
/// much.
inline constexpr double calibration_agreement = 0.02;

/// Makes no claim where the samples stand in another order than in training, on which the folds
/// depend, or where time is up.
void check_calibration_again(Claims& claims, const Model& model, const Dataset& data,
                             const TaskTargets& targets, const TrainingData& found,
                             const Context& context);

}  // namespace kernmix
