#pragma once

#include <vector>

#include "kernmix/kernel.hpp"

namespace kernmix {

/// A training kernel on some of its samples. All sources of a bank must have the same samples.
/// \param rows  ascending
[[nodiscard]] KernelSourcePtr subset_source(KernelSourcePtr source, std::vector<Index> rows);

/// Each source on some samples; unchanged if `rows` is empty.
[[nodiscard]] std::vector<KernelSourcePtr> subset_sources(
    const std::vector<KernelSourcePtr>& sources, const std::vector<Index>& rows);

}  // namespace kernmix
