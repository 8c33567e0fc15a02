#pragma once
/// \file
/// Huber loss, for regression with outliers: l(y, z) = 1/2 (z - y)^2 for |z - y| <= delta, else
/// delta (|z - y| - delta/2), y real. With C: dual gain a y - a^2 / (2 C) on |a| <= C delta.

#include <array>
#include <cmath>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Huber {
  static constexpr Target target = Target::numbers;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides
  double delta = 1.0;                          ///< residual from which the loss is linear, > 0

  static constexpr std::array parameters{Parameter<Huber>{"delta", &Huber::delta}};
  static LossInfo info() {
    return {"huber:delta=D", "1/2 u^2, D (|u| - D/2) where |u| = |z - y| > D", "huber:delta=1"};
  }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double size = std::abs(z - y);
    return size <= delta ? 0.5 * C * size * size : C * delta * (size - 0.5 * delta);
  }
  [[nodiscard]] LossSlope slope(double y, double z, double C) const {
    const double residual = z - y;
    if (std::abs(residual) <= delta) return {C * residual, C};
    return {std::copysign(C * delta, residual), 0.0};
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - 0.5 * a * a / C;
  }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double C) const {
    return {-C * delta, C * delta};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double C) const { return {y, 1.0 / C, 0.0}; }
  /// The completed square, or (|z - y| - delta) t + t^2 / (2 C) with t the distance of a from the
  /// bound in the direction of z - y.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double residual = z - y;
    if (std::abs(residual) <= delta) {
      const double rest = residual + a / C;
      return 0.5 * C * rest * rest;
    }
    const double distance = C * delta + (residual > 0.0 ? a : -a);
    return distance * (std::abs(residual) - delta + 0.5 * distance / C);
  }
};

}  // namespace kernmix
