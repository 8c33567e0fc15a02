#pragma once
/// \file
/// Squared loss: l(y, z) = 1/2 (z - y)^2, y real. With C: dual gain a y - a^2 / (2 C), any a.

#include <limits>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Squared {
  static constexpr Target target = Target::numbers;

  static LossInfo info() { return {"squared", "1/2 (z - y)^2", "squared"}; }
  [[nodiscard]] double value(double y, double z, double C) const {
    return 0.5 * C * (z - y) * (z - y);
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - 0.5 * a * a / C;
  }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double /*C*/) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double C) const { return {y, 1.0 / C, 0.0}; }
  [[nodiscard]] double dual_slope(double y, double a, double C) const { return y - a / C; }
  [[nodiscard]] double dual_curvature(double /*y*/, double /*a*/, double C) const {
    return 1.0 / C;
  }
  /// C/2 (z - y + a / C)^2, the completed square.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double residual = z - y + a / C;
    return 0.5 * C * residual * residual;
  }
  /// The weighted mean of y - z.
  [[nodiscard]] double best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const;
};

}  // namespace kernmix
