#pragma once
/// \file
/// argmin_b sum_i C_i l(y_i, z_i + b): a convex function of one variable, piecewise linear, or with
/// a slope whose root is found numerically.

#include <cmath>
#include <limits>
#include <vector>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

/// A jump in the slope of a piecewise linear function.
struct Breakpoint {
  double position;
  double jump;  ///< >= 0
};

/// The minimiser of the function whose slope left of all breakpoints is `first_slope` <= 0; the
/// midpoint of a bounded interval, the end of an unbounded one. Sorts the breakpoints.
[[nodiscard]] double minimise_piecewise_linear(std::vector<Breakpoint>& breakpoints,
                                               double first_slope);

/// An interval that contains a minimiser.
struct Bracket {
  double low;
  double high;
};

/// From the smallest to the largest y_i - z_i: brackets the best bias of every loss that vanishes
/// at z = y.
[[nodiscard]] Bracket residual_bracket(ConstSpan y, ConstSpan z);

/// Newton's method on the slope, which increases in b, with bisection if it converges too slowly.
/// Starts at the middle of the bracket.
template <HasSlope L>
[[nodiscard]] double search_bias(const L& loss, ConstSpan y, ConstSpan z, ConstSpan C,
                                 Bracket bracket) {
  constexpr int kMostSteps = 200;
  constexpr double rounding = 1e-14;
  double b = 0.5 * (bracket.low + bracket.high);
  double previous = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostSteps; ++step) {
    LossSlope sum;
    double size = 0.0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const LossSlope slope = loss.slope(y[i], z[i] + b, C[i]);
      sum.first += slope.first;
      sum.second += slope.second;
      size += std::abs(slope.first);
    }
    if (std::abs(sum.first) <= rounding * size) return b;
    (sum.first > 0.0 ? bracket.high : bracket.low) = b;
    const double newton = b - sum.first / sum.second;
    const bool slow = std::abs(sum.first) > 0.5 * previous;
    const bool inside = newton > bracket.low && newton < bracket.high;
    const double next = inside && !slow ? newton : 0.5 * (bracket.low + bracket.high);
    if (next == b) return b;
    previous = std::abs(sum.first);
    b = next;
  }
  return b;
}

/// The loss is piecewise linear, because its gain is linear in the box except for a kink: its slope
/// is
/// -upper left of linear - kink, 0 up to linear + kink, -lower right of it.
template <HasQuadraticDual L>
[[nodiscard]] double search_kinks(const L& loss, ConstSpan y, ConstSpan z, ConstSpan C) {
  std::vector<Breakpoint> breakpoints;
  breakpoints.reserve(y.size());
  double slope = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const DualBounds box = loss.dual_bounds(y[i], C[i]);
    const QuadraticTerm term = loss.quadratic_term(y[i], C[i]);
    if (term.kink == 0.0) {
      breakpoints.push_back({term.linear - z[i], box.upper - box.lower});
    } else {
      breakpoints.push_back({term.linear - z[i] - term.kink, box.upper});
      breakpoints.push_back({term.linear - z[i] + term.kink, -box.lower});
    }
    slope -= box.upper;
  }
  return minimise_piecewise_linear(breakpoints, slope);
}

/// argmin_b sum_i C_i l(y_i, z_i + b); the midpoint if it is an interval.
/// \param y targets, \param z decision values without bias, \param C weights; same length
template <IsSeparableLoss L>
[[nodiscard]] double best_bias(const L& loss, ConstSpan y, ConstSpan z, ConstSpan C) {
  if constexpr (HasBestBias<L>) {
    return loss.best_bias(y, z, C);
  } else if constexpr (HasSlope<L>) {
    return search_bias(loss, y, z, C, residual_bracket(y, z));
  } else {
    return search_kinks(loss, y, z, C);
  }
}

}  // namespace kernmix
