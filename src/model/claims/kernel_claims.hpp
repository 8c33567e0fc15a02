#pragma once
/// \file
/// Claims about what was fitted to the training data, and weights in their set.

#include "model/claims/claims.hpp"
#include "model/claims/training_data.hpp"
#include "model/pipeline.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The size of the entries of a kernel before centring, to which rounding is relative.
struct KernelSize {
  double largest = 0.0;  ///< largest entry, with the scale of the normalised kernel
  double loss = 1.0;     ///< factor by which centring reduced the trace
};
/// \param source  of `fitted`, in training
[[nodiscard]] KernelSize size_of(const KernelSource& source, const FittedNormalization& fitted);

/// Magnitude of the terms of decision values, to which their rounding is relative: the largest
/// entries of the kernels times the weights d and the absolute sum of the dual variables a (at
/// least 1).
[[nodiscard]] double decision_size(const TrainingKernels& kernels, ConstSpan d, ConstSpan a);

/// Claim `scaling`: the rules of the views, offsets and divisors of the columns.
void check_scaling(Claims& claims, const Model& model, const TrainingData& found);

/// Claim `kernels`: parameters of `own` that follow from relative widths are those of `fitted`,
/// with which kernels are evaluated here.
void check_widths(Claims& claims, const KernelDescription& own, const KernelDescription& fitted,
                  const std::string& name);

/// Claim `kernels`: the fitted parameters of each kernel, and that given matrices are positive
/// semidefinite.
void check_kernels(Claims& claims, const Model& model, const TrainingData& found,
                   const Context& context);

/// Claim `weights`: the weights of a part are in the set of the regularizer or follow from a
/// two-stage rule.
void check_weights_of(Claims& claims, const Model& model, const TaskSet& set, Index part,
                      const TrainingData& found, const Context& context);

}  // namespace kernmix
