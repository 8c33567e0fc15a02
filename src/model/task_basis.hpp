#pragma once
/// \file
/// What is asked of a training run, whatever its targets, checked before any kernel is computed.

#include <string>
#include <vector>

#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/regularizer.hpp"

namespace kernmix {

/// What tasks of every kind have.
struct TaskBasis {
  Loss loss;
  Regularizer regularizer;
  Bias bias = Bias::free;
  std::vector<KernelDescription> kernels;
};

/// All but the kernels. \throws ParameterError
[[nodiscard]] TaskBasis parse_basis(const TrainOptions& options);

/// The number of samples, on which all parts of the data and the sample weights agree.
/// \throws ParameterError, DataError naming the part that differs
[[nodiscard]] Index check_samples(const Dataset& data, const TrainOptions& options);

/// Model files hold text as UTF-8: better refused before training than when it is saved.
/// \param names  of classes or labels
void check_text(const Table& table, const std::vector<std::string>& names);

/// Expands the kernels and sees that loss and regularizer take them.
void set_kernels(const Dataset& data, const TrainOptions& options, TaskBasis& task);

/// The number of each kernel's group, in the order of first use.
[[nodiscard]] std::vector<Index> kernel_groups(const std::vector<KernelDescription>& kernels);

[[nodiscard]] std::vector<KernelDescription> kernel_descriptions(const ModelBasis& model);

/// With the groups of its kernels.
[[nodiscard]] Regularizer model_regularizer(const ModelBasis& model);

}  // namespace kernmix
