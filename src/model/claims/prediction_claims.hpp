#pragma once
/// \file
/// Claim `predictions`: the model decides on training samples as it was trained to.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"

namespace kernmix {

/// f of one task, which the model keeps.
struct DecisionFunction {
  std::string whose;  ///< "of class 'a'", or empty
  ConstSpan d;        ///< M kernel weights
  Vector a;           ///< of each support vector of the model, maybe 0
  double bias;
};

/// Evenly spaced training samples that are predicted again.
[[nodiscard]] std::vector<Index> samples_to_predict(Index n);

/// These samples of the training data, for predict().
[[nodiscard]] Dataset samples_of(const Dataset& data, const std::vector<Index>& samples);

/// \param found  its kernels normalised, not yet as the loss sees them
/// \param predicted  |samples| x |functions|: what prediction said of them
void check_predictions(Claims& claims, const Model& model, const TrainingData& found,
                       const std::vector<DecisionFunction>& functions,
                       const std::vector<Index>& samples, const Matrix& predicted);

}  // namespace kernmix
