#pragma once
/// \file
/// Is this the data that a model was trained on?

#include <optional>
#include <vector>

#include "kernmix/train.hpp"
#include "model/claims/claims.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// The identified training data of a model.
struct TrainingData {
  std::vector<Index> rows;  ///< of each support vector, or of each landmark
  TrainingKernels kernels;  ///< with landmarks those of the model
  bool landmarks = false;
  FittingRules rules = FittingRules::present;  ///< of the scaling of the model
  /// With landmarks: the row of each training sample with a dual variable; empty: its own.
  std::vector<Index> row_of_dual = {};
};

/// Claims `data` and `support`; nothing if one of them fails. \param targets n x T, for the
/// fingerprint \throws DataError if a column or matrix of training is missing
[[nodiscard]] std::optional<TrainingData> find_training_data(Claims& claims, const Model& model,
                                                             const Dataset& data,
                                                             const Matrix& targets,
                                                             const Context& context);

/// Extends values of support vectors to all samples by 0. \param rows of each; \param n samples
[[nodiscard]] Vector on_training_rows(ConstSpan values, const std::vector<Index>& rows, Index n);

}  // namespace kernmix
