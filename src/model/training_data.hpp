#pragma once
/// \file
/// Is this the data that a model was trained on, and do two certificates agree?

#include <optional>
#include <vector>

#include "kernmix/model/train.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// Largest relative difference of two certificates that agree.
inline constexpr double certificate_agreement = 1e-9;

/// Training data of a model, found again.
struct TrainingData {
  std::vector<Index> rows;  ///< of each support vector
  TrainingKernels kernels;
};

/// Nothing where the data is other data. \param targets  n x T, of the fingerprint
/// \throws DataError when a column or matrix that training read is missing
[[nodiscard]] std::optional<TrainingData> find_training_data(const ModelBasis& model,
                                                             const Dataset& data,
                                                             const Matrix& targets,
                                                             const Context& context);

/// Values of support vectors, the others 0. \param rows  of each;  \param n  samples
[[nodiscard]] Vector on_training_rows(ConstSpan values, const std::vector<Index>& rows, Index n);

/// Largest of the differences of primal, dual and gap, over |left.primal|.
[[nodiscard]] double certificate_difference(const Bounds& left, const Bounds& right);

}  // namespace kernmix
