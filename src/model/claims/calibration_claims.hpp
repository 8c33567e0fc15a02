#pragma once
/// \file
/// Claim `calibration`: cross-fitted once more, the probabilities are the same.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"
#include "model/targets.hpp"

namespace kernmix {

/// Largest accepted mean difference of probabilities over the training samples: models of a fold
/// that end at different points within the tolerance, as on another machine, may differ by this
/// much.
inline constexpr double calibration_agreement = 0.02;

/// Makes no claim if the samples are in another order than in training, because folds depend on it,
/// or if time runs out.
void check_calibration_again(Claims& claims, const Model& model, const Dataset& data,
                             const TaskTargets& targets, const TrainingData& found,
                             const Context& context);

}  // namespace kernmix
