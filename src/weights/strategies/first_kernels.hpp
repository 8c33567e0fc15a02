#pragma once
/// \file
/// The first working set of a solver for sparse weights.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// The largest initial number of kernels, somewhat above the number with weight in a typical
/// solution.
constexpr Index kernels_to_begin_with = 64;

/// The kernels with the largest q, in ascending order. Their number is `least`, or the number at
/// which weights up to `upper_bound` can hold four times the required sum of 1, if that is larger.
[[nodiscard]] std::vector<Index> leading_kernels(ConstSpan q, double upper_bound,
                                                 Index least = kernels_to_begin_with);

/// Selects `part` of M kernels, in ascending order: one from each run of M / part, at offsets that
/// are multiples of the golden ratio. The offsets prevent the selection from skipping values that
/// recur periodically in the order of the kernels, for example widths or columns.
[[nodiscard]] std::vector<Index> spread_numbers(Index M, Index part);

}  // namespace kernmix
