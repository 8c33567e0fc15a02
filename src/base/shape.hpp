#pragma once
/// \file
/// Checks of matrices, which are plain structs that callers fill.

#include <bit>
#include <cstdint>
#include <string>

#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless `matrix` holds its rows * cols numbers
void require_shape(const std::string& what, const ConstMatrix& matrix);

/// No exponent is all ones. Without branches, several times faster than std::isfinite for each
/// entry.
[[nodiscard]] inline bool all_finite(ConstSpan values) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000;
  constexpr std::uint64_t carry = 0x0010000000000000;
  std::uint64_t overflow = 0;
  for (const double value : values) {
    overflow |= (std::bit_cast<std::uint64_t>(value) & exponent) + carry;
  }
  return overflow >> 63U == 0;
}

}  // namespace kernmix
