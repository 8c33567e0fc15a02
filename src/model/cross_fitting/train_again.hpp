#pragma once
/// \file
/// Training with the kernel descriptions of a model.

#include "kernmix/training.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// As train(), but on these kernels: scaling and relative widths are fitted to `data`.
[[nodiscard]] Model train_again(const Dataset& data, const TrainOptions& options,
                                const DescribedKernels& kernels, const Context& context);

}  // namespace kernmix
