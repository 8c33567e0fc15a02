#pragma once
/// \file
/// One-dimensional roots for the multipliers of separable problems.

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernmix/types.hpp"

namespace kernmix {

/// The root of a decreasing function in [low, high] by bisection to working precision, from the
/// side where the function is <= 0; `high` if there is none.
template <typename Function>
[[nodiscard]] double decreasing_root(double low, double high, Function function) {
  constexpr int kHalvings = 120;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (function(middle) > 0.0 ? low : high) = middle;
  }
  return high;
}

/// The multiplier at which a norm, which decreases to 0 with it, equals 1: by bisection, from the
/// side where it is at most 1.
template <typename Function>
[[nodiscard]] double multiplier_of_unit_norm(Function norm_at) {
  double low = 0.0;
  double high = 1.0;
  while (norm_at(high) > 1.0) high *= 4.0;
  // Sixty halvings of the bracket reach working precision.
  for (int k = 0; k < 60 && high - low > 1e-15 * high; ++k) {
    const double middle = 0.5 * (low + high);
    (norm_at(middle) > 1.0 ? low : high) = middle;
  }
  return high;
}

/// The root of a convex increasing function, from a point x at or above it: Newton's method, which
/// then only descends. `residual_and_slope(x)` returns a pair.
template <typename Function>
[[nodiscard]] double root_from_above(double x, Function residual_and_slope) {
  constexpr int kSteps = 200;
  for (int k = 0; k < kSteps && x > 0.0; ++k) {
    const auto [residual, slope] = residual_and_slope(x);
    const double next = x - residual / slope;
    if (!(next < x * (1.0 - 1e-16)) || next <= 0.0) break;
    x = next;
  }
  return x;
}

/// The root d of (a + b d) d^2 = w s^2 for a, b, w > 0, which vanishes with s; divided by s^2, so
/// that small s do not underflow.
[[nodiscard]] inline double cubic_weight(double s, double a, double b, double w) {
  if (s == 0.0) return 0.0;
  const double above = std::min(s * std::sqrt(w / a), std::cbrt(s * w / b) * std::cbrt(s));
  return root_from_above(above, [&](double d) {
    const double ratio = d / s;
    return std::pair((a + b * d) * ratio * ratio - w, (2.0 * a + 3.0 * b * d) * ratio / s);
  });
}

/// The root tau of sum_k max(z_k - tau, 0) = sum: determined by the largest entries, those that
/// stay positive.
/// \param z  the largest first;  \param sum  > 0
[[nodiscard]] inline double threshold_of_sum(ConstSpan z, double sum) {
  double all = 0.0;
  double tau = 0.0;
  for (std::size_t k = 0; k < z.size(); ++k) {
    all += z[k];
    const double candidate = (all - sum) / static_cast<double>(k + 1);
    if (candidate >= z[k]) break;
    tau = candidate;
  }
  return tau;
}

}  // namespace kernmix
