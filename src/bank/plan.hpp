#pragma once
/// \file
/// Sizes that the memory plan and the construction of a bank agree on.

#include "kernmix/bank/plan.hpp"

namespace kernmix {

/// Rows and columns at most of a part of a file that is read at once.
inline constexpr Index longest_window = 1024;

/// The largest rank at which a factor is smaller than the packed triangle.
[[nodiscard]] Index longest_factor(Index n, bool double_precision);

/// The parts of kernels that some samples lack.
[[nodiscard]] std::vector<KernelSourcePtr> sources_of_part(
    const std::vector<KernelSourcePtr>& sources, const std::vector<Index>& kernels);

/// At least one source, all n x n with the same n >= 1.
/// \throws ParameterError or DataError
void check_sources(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
