#pragma once
/// \file
/// Small vector helpers that several regularizers share.

#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless M >= 1
void require_kernels(Index M);

[[nodiscard]] double sum_of_squares(ConstSpan x);

/// (sum x_m^r)^{1/r} for x >= 0, r > 0, scaled by the largest entry so that nothing overflows.
[[nodiscard]] double power_norm(ConstSpan x, double r);

/// max_m x_m, 0 for an empty vector.
[[nodiscard]] double largest(ConstSpan x);

}  // namespace kernmix
