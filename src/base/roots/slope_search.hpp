#pragma once
/// \file
/// A line search for convex functions with continuous derivative:
///
///   |slope(t)| <= flat |slope(0)|.

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernmix {

/// \param start_slope  slope(0) < 0
/// \param most_trials  calls of `slope_at` at most
/// \returns the last t at which `slope_at` was called, 1 first; flat enough up to rounding
template <typename Slope>
double flat_step(double start_slope, double flat, int most_trials, const Slope& slope_at) {
  double t = 1.0;
  double low = 0.0;
  double low_slope = start_slope;
  double high = std::numeric_limits<double>::infinity();
  double high_slope = 0.0;
  for (int trial = 1;; ++trial) {
    const double slope = slope_at(t);
    if (std::abs(slope) <= flat * std::abs(start_slope) || trial == most_trials) return t;
    (slope < 0.0 ? low : high) = t;
    (slope < 0.0 ? low_slope : high_slope) = slope;
    if (std::isinf(high)) {
      t *= 2.0;
    } else {
      const double secant = low - low_slope * (high - low) / (high_slope - low_slope);
      t = std::clamp(secant, low + 0.1 * (high - low), high - 0.1 * (high - low));
    }
  }
}

}  // namespace kernmix
