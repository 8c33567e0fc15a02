#pragma once
/// \file
/// Claims about what was fitted to the training data, and weights in their set.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The entries of a kernel before it is centred, which rounding is relative to.
struct KernelSize {
  double largest = 0.0;  ///< of all, scaled as the normalised kernel is
  double loss = 1.0;     ///< how many times smaller centring made the trace
};
/// \param source  of `fitted`, in training
[[nodiscard]] KernelSize size_of(const KernelSource& source, const FittedNormalization& fitted);

/// What decision values are sums of, which their rounding is relative to: the largest entries of
/// the kernels, times weights d and the absolute sum of the dual variables a, or 1 where it is
/// less.
[[nodiscard]] double decision_size(const TrainingKernels& kernels, ConstSpan d, ConstSpan a);

/// Claim `scaling`: the rules of the views, offsets and divisors of the columns.
void check_scaling(Claims& claims, const Model& model, const TrainingData& found);

/// Claim `kernels`: what was fitted to each of them, and that given matrices are positive
/// semidefinite.
void check_kernels(Claims& claims, const Model& model, const TrainingData& found,
                   const Context& context);

/// Claim `weights`: those of a part of the tasks lie in the set of the regularizer or, of a
/// two-stage one, come from its rule.
void check_weights_of(Claims& claims, const Model& model, const TaskSet& set, Index part,
                      const TrainingData& found, const Context& context);

}  // namespace kernmix
