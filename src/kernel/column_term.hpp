#pragma once
/// \file
/// The terms of one column in comparisons that are sums over columns.

#include <algorithm>
#include <cmath>

#include "kernel/functions/definition.hpp"

namespace kernmix {

/// The term of one column in a sum over columns, and its derivative in x; for quotients, of the
/// numerator.
struct ValueAndSlope {
  double value = 0.0;
  double slope = 0.0;
};

/// The derivative of min(x, z) in x; its mean at the kink.
inline double half_step(double x, double z) { return x < z ? 1.0 : x > z ? 0.0 : 0.5; }

/// The value is 0 for x = z = 0.
inline ValueAndSlope column_term(Comparison comparison, double x, double z) {
  const double sum = x + z;
  switch (comparison) {
    case Comparison::dot:
    case Comparison::cosine:
      return {x * z, z};
    case Comparison::squared_distance:
      return {(x - z) * (x - z), 2.0 * (x - z)};
    case Comparison::absolute_distance:
      return {std::abs(x - z), 1.0 - 2.0 * half_step(x, z)};
    case Comparison::chi2_distance:
      if (sum == 0.0) return {};
      return {(x - z) * (x - z) / sum, (x - z) * (x + 3.0 * z) / (sum * sum)};
    case Comparison::harmonic_sum:
      if (sum == 0.0) return {};
      return {2.0 * x * z / sum, 2.0 * (z / sum) * (z / sum)};
    case Comparison::minimum_sum:
    case Comparison::shared_part:
      return {std::min(x, z), half_step(x, z)};
    case Comparison::given:
      break;
  }
  return {};
}

}  // namespace kernmix
