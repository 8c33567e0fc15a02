#pragma once
/// \file
/// One-dimensional roots for the multipliers of separable problems.

#include <algorithm>
#include <cmath>

namespace kernmix {

/// The root of a decreasing function in [low, high] by bisection to working precision, from the
/// side where the function is <= 0; `high` when there is none.
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

}  // namespace kernmix
