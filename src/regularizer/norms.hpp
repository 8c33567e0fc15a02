#pragma once
/// \file
/// Small vector helpers that several regularizers share.

#include <limits>

#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless M >= 1
void require_kernels(Index M);

[[nodiscard]] double sum_of_squares(ConstSpan x);

/// (sum x_m^r)^{1/r} for x >= 0, r > 0, scaled by the largest entry so that nothing overflows.
[[nodiscard]] double power_norm(ConstSpan x, double r);

/// max_m x_m, 0 for an empty vector.
[[nodiscard]] double largest(ConstSpan x);

/// 1/2 sum s_m^2 / d_m with 0/0 = 0.
[[nodiscard]] double weighted_norm(ConstSpan s, ConstSpan d);

/// Every entry brought into [low, high].
void clip(MutableSpan x, double low, double high = std::numeric_limits<double>::infinity());

}  // namespace kernmix
