#pragma once
/// \file
/// Is this the data that a model was trained on?

#include <optional>
#include <vector>

#include "kernmix/train.hpp"
#include "model/claims/claims.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// Training data of a model, found again.
struct TrainingData {
  std::vector<Index> rows;  ///< of each support vector
  TrainingKernels kernels;
};

/// Claims `data` and `support`. Nothing where one does not hold.
/// \param targets  n x T, of the fingerprint
/// \throws DataError when a column or matrix that training read is missing
[[nodiscard]] std::optional<TrainingData> find_training_data(Claims& claims, const Model& model,
                                                             const Dataset& data,
                                                             const Matrix& targets,
                                                             const Context& context);

/// Values of support vectors, the others 0. \param rows  of each;  \param n  samples
[[nodiscard]] Vector on_training_rows(ConstSpan values, const std::vector<Index>& rows, Index n);

}  // namespace kernmix
