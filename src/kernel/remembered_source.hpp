#pragma once

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Kernels between the same samples that are evaluated here once, to the same bits, and lie in
/// memory from then on, in double precision. Those that are in memory already stay as they are.
/// \throws ResourceError where the context says stop
[[nodiscard]] std::vector<KernelSourcePtr> remembered_sources(
    const std::vector<KernelSourcePtr>& sources, const Context& context);

/// What they will take.
[[nodiscard]] std::size_t remembered_bytes(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
