#pragma once
/// \file
/// Claim `predictions`: the model decides on training samples as it was trained to.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"

namespace kernmix {

/// \param found normalised kernels, before fit_to_loss() \param predicted |samples| x T: their
/// predicted decision values
void compare_predictions(Claims& claims, const Model& model, const TrainingData& found,
                         const std::vector<Index>& samples, const Matrix& predicted);

/// Predicts some samples, evenly spaced, and compares.
void check_predictions(Claims& claims, const Model& model, const Dataset& data,
                       const TrainingData& found, const Context& context);

}  // namespace kernmix
