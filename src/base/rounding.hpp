#pragma once
/// \file
/// Rounding errors of the sums in a certificate (docs/explanation/problem.md). A sum of n numbers,
/// each rounded a few times, has an error of at most
///
///   gamma |..|,   gamma = (n + 64) u / (1 - (n + 64) u),   u = 2^-53,
///
/// where |..| is the sum of their absolute values (Higham, Accuracy and Stability of Numerical
/// Algorithms, 2002, section 3.1). The term 64 u covers the rounding within a term: functions of
/// the standard library, and values of Omega and sigma from a search.

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

/// Rounding of max over t <= 2 of gain(t a) - sigma(t^2 q / 2): the size of the gain is at most
/// four times that at a, and sigma is the gain minus the bound.
[[nodiscard]] inline double dual_rounding(Index terms, double gain, double bound) {
  return rounding(terms, 8.0 * gain + std::abs(bound));
}

/// q + error, enlarged by the largest downward rounding of sums of this many forms and of Omega and
/// sigma of them.
[[nodiscard]] inline double upper_form(double q, double error, Index forms) {
  return (q + error) * (1.0 + 2.0 * (static_cast<double>(forms) + 8.0) * unit_roundoff);
}

}  // namespace kernmix
