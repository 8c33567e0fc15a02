#pragma once
/// \file
/// The kernels of a model between new samples and its support vectors.

#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

struct PredictionKernels {
  std::vector<Index> index;              ///< the kernels with weight
  std::vector<KernelSourcePtr> sources;  ///< new samples x support vectors; without these: none
};
/// \throws DataError naming a column or matrix that is missing
[[nodiscard]] PredictionKernels prediction_kernels(const Model& model, const Dataset& data);

/// Models of earlier versions may lack the samples that a new sample's mean kernel is over.
/// \throws DataError where the coefficients of a task do not cancel it
void require_mean_kernel(const Model& model, ConstSpan coefficients);

}  // namespace kernmix
