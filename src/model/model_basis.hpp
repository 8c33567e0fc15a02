#pragma once
/// \file
/// What models of every kind keep of a training run.

#include <cstddef>

#include "kernmix/model/train.hpp"
#include "model/pipeline.hpp"
#include "model/task_basis.hpp"

namespace kernmix {

/// Kernel weights of an answer, and the norms ||f_m|| that go with them: both of length M.
struct WeightedKernels {
  Vector weights;
  Vector norms;
};

/// True where prediction needs all training samples: a new sample has its own mean kernel with
/// them, which a centred kernel takes off and only dual variables that add up to zero cancel.
/// \param set  of a task of these
[[nodiscard]] bool needs_all_samples(const TaskBasis& task, const DualSet& set,
                                     ConstSpan kernel_weights);

/// Everything that the model's `support`, which must be known, does not say: kernels, columns and
/// support vectors, what verify() compares.
/// \param targets  n x T, of the fingerprint
void fill_basis(const Dataset& data, const TrainOptions& options, const TrainingKernels& kernels,
                const WeightedKernels& answer, const Matrix& targets, ModelBasis& model);

/// \param class_weights  as ModelSettings has them
[[nodiscard]] ModelSettings settings_of(const TaskBasis& task, const TrainOptions& options,
                                        const Vector& class_weights, const std::string& solver,
                                        Status status, const Context& context);

/// What is held during the whole run besides kernels that are stored.
[[nodiscard]] std::size_t data_bytes(const Dataset& data, const TrainingKernels& kernels);

}  // namespace kernmix
