#pragma once
/// \file
/// Ties of decision values: values that differ by rounding alone have one rank.

#include <algorithm>
#include <cmath>

namespace kernmix {

/// Relative difference up to which two decision values are equal. Rounding of a sum over thousands
/// of support vectors is a hundred times smaller.
inline constexpr double tie_width = 0x1p-36;

[[nodiscard]] inline bool tied(double left, double right) {
  return std::abs(left - right) <= tie_width * std::max(std::abs(left), std::abs(right));
}

}  // namespace kernmix
