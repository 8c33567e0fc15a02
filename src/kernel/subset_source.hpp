#pragma once

#include <vector>

#include "kernmix/kernel.hpp"

namespace kernmix {

/// A training kernel on some of its samples. Sources of one bank must show the same samples.
/// \param rows  ascending
[[nodiscard]] KernelSourcePtr subset_source(KernelSourcePtr source, std::vector<Index> rows);

/// Each source on some samples; as they are where `rows` is empty.
[[nodiscard]] std::vector<KernelSourcePtr> subset_sources(
    const std::vector<KernelSourcePtr>& sources, const std::vector<Index>& rows);

}  // namespace kernmix
