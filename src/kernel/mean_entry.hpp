#pragma once
/// \file
/// w'Kw / (1'w)^2, the mean entry of a kernel, used in variances.

#include <functional>
#include <span>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// The mean entry of each training kernel between some samples; kernels with the same comparison
/// share it. \param samples_of samples for the kernel of this index, equal for kernels with the
/// same comparison \param weights of the training samples; {}: all 1 \throws ResourceError if the
/// context requests a stop
[[nodiscard]] Vector mean_entries(const std::vector<const KernelSource*>& sources,
                                  const std::function<std::span<const Index>(Index)>& samples_of,
                                  ConstSpan weights, const Context& context);

}  // namespace kernmix
