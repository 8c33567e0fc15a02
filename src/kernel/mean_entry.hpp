#pragma once
/// \file
/// w'Kw / (1'w)^2, of which variances are made.

#include <functional>
#include <span>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Of each training kernel, between some samples. Samples are compared once for kernels that
/// compare alike. \param samples_of  of the kernel of that number; the same for kernels that
/// compare alike \param weights  how often each training sample counts; {}: once
/// \throws ResourceError where the context says stop
[[nodiscard]] Vector mean_entries(const std::vector<const KernelSource*>& sources,
                                  const std::function<std::span<const Index>(Index)>& samples_of,
                                  ConstSpan weights, const Context& context);

}  // namespace kernmix
