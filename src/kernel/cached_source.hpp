#pragma once

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Kernels between the same samples, evaluated once and kept in memory in double precision, with
/// bitwise identical values. Kernels that are in memory already are returned unchanged. \throws
/// ResourceError if the context requests a stop
[[nodiscard]] std::vector<KernelSourcePtr> cached_sources(
    const std::vector<KernelSourcePtr>& sources, const Context& context);

/// Memory that they will take, in bytes.
[[nodiscard]] std::size_t cached_bytes(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
