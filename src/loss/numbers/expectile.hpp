#pragma once
/// \file
/// Expectile loss (Newey and Powell, Econometrica 55, 1987), asymmetric least squares: with
/// u = y - z, y real,
///
///   l(y, z) = tau u^2 for u >= 0,  (1 - tau) u^2 for u < 0.
///
/// With C: dual gain a y - a^2 / (4 C w), any a, where w = tau for a >= 0 and 1 - tau for a < 0.
/// tau = 1/2 is the squared loss.

#include <array>
#include <limits>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Expectile {
  static constexpr Target target = Target::numbers;
  double tau = 0.5;  ///< weight of positive residuals, 1 - tau of negative ones, in (0, 1)

  static constexpr std::array parameters{Parameter<Expectile>{"tau", &Expectile::tau, below_one}};
  static LossInfo info() {
    return {"expectile:tau=T", "T u^2, (1 - T) u^2 where u = y - z < 0", "expectile:tau=0.8"};
  }

  /// Weight of a residual y - z, or of the dual variable with its sign.
  [[nodiscard]] double weight_of(double above) const { return above >= 0.0 ? tau : 1.0 - tau; }
  [[nodiscard]] double value(double y, double z, double C) const {
    return C * weight_of(y - z) * (y - z) * (y - z);
  }
  [[nodiscard]] LossSlope slope(double y, double z, double C) const {
    const double stiffness = 2.0 * C * weight_of(y - z);
    return {stiffness * (z - y), stiffness};
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - 0.5 * a * a * dual_curvature(y, a, C);
  }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double /*C*/) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  [[nodiscard]] double dual_slope(double y, double a, double C) const {
    return y - a * dual_curvature(y, a, C);
  }
  [[nodiscard]] double dual_curvature(double /*y*/, double a, double C) const {
    return 0.5 / (C * weight_of(a));
  }
  /// The completed square C w (y - z - a / (2 C w))^2 if a moves z towards y, and a sum of
  /// non-negative terms if it moves z away.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double above = y - z;
    const double softness = dual_curvature(y, a, C);
    if (a * above <= 0.0) return value(y, z, C) + 0.5 * a * a * softness - a * above;
    const double rest = above - a * softness;
    return 0.5 * rest * rest / softness;
  }
};

}  // namespace kernmix
