#pragma once
/// \file
/// Epsilon-insensitive loss: l(y, z) = max(0, |z - y| - eps), y real. With C: dual gain
/// a y - eps |a| on |a| <= C. Vapnik's support vector regression.

#include <algorithm>
#include <array>
#include <cmath>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Epsilon {
  static constexpr Target target = Target::numbers;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides
  double eps = 0.1;                            ///< half the width of the tube, >= 0

  static constexpr std::array parameters{Parameter<Epsilon>{"eps", &Epsilon::eps, zero_as_well}};
  static LossInfo info() { return {"epsilon:eps=E", "max(0, |z - y| - E)", "epsilon:eps=0.1"}; }

  [[nodiscard]] double value(double y, double z, double C) const {
    return C * std::max(std::abs(z - y) - eps, 0.0);
  }
  [[nodiscard]] double dual_value(double y, double a, double /*C*/) const {
    return a * y - eps * std::abs(a);
  }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double C) const { return {-C, C}; }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double /*C*/) const { return {y, 0.0, eps}; }
  /// With the excess e = |z - y| - eps: (C - |a|) e or -|a| e if a moves z towards y, and C max(e,
  /// 0) + |a| (|z - y| + eps) if it moves z away.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double residual = z - y;
    const double excess = std::abs(residual) - eps;
    const double size = std::abs(a);
    if (a * residual > 0.0) {
      return C * std::max(excess, 0.0) + size * (std::abs(residual) + eps);
    }
    return excess > 0.0 ? (C - size) * excess : -size * excess;
  }
};

}  // namespace kernmix
