#pragma once
/// \file
/// What rounding may change of the sums that a certificate is made of
/// (docs/explanation/problem.md). A sum of n numbers, each rounded a few times, is off by at most
///
///   gamma |..|,   gamma = (n + 64) u / (1 - (n + 64) u),   u = 2^-53,
///
/// where |..| is the sum of their absolute values (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2002, section 3.1). 64 u are for the roundings within a term: functions of the
/// standard library, and values of Omega and sigma that a search finds.

#include <cmath>
#include <limits>

#include "kernmix/types.hpp"

namespace kernmix {

inline constexpr double unit_roundoff = 0.5 * std::numeric_limits<double>::epsilon();

/// \param size  the sum of the absolute values of `terms` numbers
[[nodiscard]] inline double rounding(Index terms, double size) {
  const double relative = (static_cast<double>(terms) + 64.0) * unit_roundoff;
  return relative / (1.0 - relative) * size;
}

/// Of max over t <= 2 of gain(t a) - sigma(t^2 q / 2): there the gain has at most four times the
/// size that it has at a, and sigma is the gain less the bound.
[[nodiscard]] inline double dual_rounding(Index terms, double gain, double bound) {
  return rounding(terms, 8.0 * gain + std::abs(bound));
}

/// A number that is larger than q + error by as much as sums of so many forms, and what Omega and
/// sigma make of them, may be rounded to below.
[[nodiscard]] inline double upper_form(double q, double error, Index forms) {
  return (q + error) * (1.0 + 2.0 * (static_cast<double>(forms) + 8.0) * unit_roundoff);
}

}  // namespace kernmix
