#pragma once
/// \file
/// Claim `predictions`: the model decides on training samples as it was trained to.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"

namespace kernmix {

/// Looks at some samples, evenly spaced.
/// \param found  its kernels normalised, not yet as the loss sees them
void check_predictions(Claims& claims, const Model& model, const Dataset& data,
                       const TrainingData& found, const Context& context);

}  // namespace kernmix
