#pragma once
// Checks common to the tests.

#include <fmt/format.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError naming `where` for a value that is not finite
inline void check_finite(ConstSpan values, const char* where) {
  for (const double value : values) {
    if (!std::isfinite(value)) {
      throw ParameterError(fmt::format(
          "{}: {} is not a finite number; leave it out of the comparison", where, value));
    }
  }
}

/// \throws ParameterError naming `where` for a level outside (0, 1)
inline void check_level(double level, const char* where) {
  if (level > 0.0 && level < 1.0) return;
  throw ParameterError(
      fmt::format("{}: the level is {}; it must be between 0 and 1", where, level));
}

}  // namespace kernmix
