#pragma once
/// \file
/// The requested kernels and the consistency of the data, checked before any kernel is computed.

#include <string>
#include <vector>

#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// \throws ParameterError unless it is in the range of parameters. \param what "C"
void require_in_range(double value, const std::string& what);

/// The number of samples, on which all parts of the data and the sample weights agree.
/// \throws ParameterError, DataError naming the part that differs
[[nodiscard]] Index check_samples(const Dataset& data, const TrainOptions& options);

/// Model files contain UTF-8 text: other encodings are rejected before training.
/// \param names  of classes or labels
void check_text(const Table& table, const std::vector<std::string>& names);

/// Expands the kernels and checks that the loss can predict with them. \throws ParameterError
[[nodiscard]] std::vector<KernelDescription> choose_kernels(const Dataset& data,
                                                            const TrainOptions& options,
                                                            const Loss& loss);

[[nodiscard]] std::vector<KernelDescription> descriptions_of(
    const std::vector<ModelKernel>& kernels);

/// The regularizer for kernels with these groups. \throws ParameterError if it does not support
/// them
[[nodiscard]] Regularizer regularizer_of(const Regularizer& regularizer,
                                         const std::vector<KernelDescription>& kernels);

}  // namespace kernmix
