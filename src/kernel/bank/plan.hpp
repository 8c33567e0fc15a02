#pragma once
/// \file
/// Sizes that the memory plan and the construction of a bank agree on.

#include <vector>

#include "kernmix/kernel/bank.hpp"

namespace kernmix {

[[nodiscard]] std::size_t packed_bytes(Index n, bool double_precision);

/// The largest rank at which a factor is smaller than the packed triangle.
[[nodiscard]] Index longest_factor(Index n, bool double_precision);

/// Columns that the factor of a combination of all families has at most.
[[nodiscard]] Index factor_columns(const MemoryPlan& plan);

/// At least one source, all n x n with the same n >= 1.
/// \throws ParameterError or DataError
void check_sources(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
