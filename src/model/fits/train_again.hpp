#pragma once
/// \file
/// Training on kernels that are described already: those of a model.

#include "kernmix/training.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// As train(), but on these kernels, with no sample of weight 0: scaling and relative widths are
/// fitted to `data`.
[[nodiscard]] TrainResult train_again(const Dataset& data, const TrainOptions& options,
                                      const DescribedKernels& kernels, const Context& context);

}  // namespace kernmix
