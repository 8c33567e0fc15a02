#pragma once
/// \file
/// Training on kernels that are described already: those of a model.

#include "kernmix/training.hpp"

namespace kernmix {

/// As train(), but on these kernels: widths relative to the data are fitted to `data`.
[[nodiscard]] Model train_again(const Dataset& data, const TrainOptions& options,
                                const std::vector<KernelDescription>& kernels,
                                const Context& context);

}  // namespace kernmix
