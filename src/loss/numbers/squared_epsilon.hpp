#pragma once
/// \file
/// Squared epsilon-insensitive loss: l(y, z) = 1/2 max(0, |z - y| - eps)^2, y real. With C: dual
/// gain a y - eps |a| - a^2 / (2 C), any a.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct SquaredEpsilon {
  static constexpr Target target = Target::numbers;
  double eps = 0.1;  ///< half the width of the tube, >= 0

  static constexpr std::array parameters{
      Parameter<SquaredEpsilon>{"eps", &SquaredEpsilon::eps, zero_as_well}};
  static LossInfo info() {
    return {"squared-epsilon:eps=E", "1/2 max(0, |z - y| - E)^2", "squared-epsilon:eps=0.1"};
  }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double excess = std::max(std::abs(z - y) - eps, 0.0);
    return 0.5 * C * excess * excess;
  }
  [[nodiscard]] LossSlope slope(double y, double z, double C) const {
    const double excess = std::abs(z - y) - eps;
    return excess > 0.0 ? LossSlope{std::copysign(C * excess, z - y), C} : LossSlope{};
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - eps * std::abs(a) - 0.5 * a * a / C;
  }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double /*C*/) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double C) const { return {y, 1.0 / C, eps}; }
  /// With the excess e = |z - y| - eps: C/2 (e - |a| / C)^2 or -|a| e + a^2 / (2 C) if a moves z
  /// towards y, and C/2 max(e, 0)^2 + |a| (|z - y| + eps) + a^2 / (2 C) if it moves z away.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double residual = z - y;
    const double excess = std::abs(residual) - eps;
    const double size = std::abs(a);
    if (a * residual > 0.0) {
      return value(y, z, C) + size * (std::abs(residual) + eps + 0.5 * size / C);
    }
    if (excess <= 0.0) return size * (0.5 * size / C - excess);
    const double rest = excess - size / C;
    return 0.5 * C * rest * rest;
  }
};

}  // namespace kernmix
