#pragma once
/// \file
/// The kernels that a solver for sparse weights looks at first.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// As many kernels as steps begin with at most, some more than a solution has with weight.
constexpr Index kernels_to_begin_with = 64;

/// Of the largest q, ascending: so many, or as many as hold the sum of 1 four times over in weights
/// up to `upper_bound`.
[[nodiscard]] std::vector<Index> leading_kernels(ConstSpan q, double upper_bound,
                                                 Index least = kernels_to_begin_with);

/// `part` of M kernels, ascending: one of each run of M / part, at places that change by multiples
/// of the golden ratio, so that none of what recurs in their order (widths, columns) is left out.
[[nodiscard]] std::vector<Index> spread_numbers(Index M, Index part);

}  // namespace kernmix
