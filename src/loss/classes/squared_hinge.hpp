#pragma once
/// \file
/// Squared hinge loss: l(y, z) = 1/2 max(0, 1 - y z)^2, y = +-1. With alpha = a y and C: dual gain
/// alpha - alpha^2 / (2 C) on alpha >= 0.

#include <limits>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct SquaredHinge {
  static constexpr Target target = Target::classes;

  static LossInfo info() { return {"squared-hinge", "1/2 max(0, 1 - y z)^2", "squared-hinge"}; }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double slack = 1.0 - y * z;
    return slack > 0.0 ? 0.5 * C * slack * slack : 0.0;
  }
  [[nodiscard]] LossSlope slope(double y, double z, double C) const {
    const double slack = 1.0 - y * z;
    return slack > 0.0 ? LossSlope{-C * y * slack, C} : LossSlope{};
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - 0.5 * a * a / C;
  }
  [[nodiscard]] DualBounds dual_bounds(double y, double /*C*/) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return y > 0.0 ? DualBounds{0.0, infinity} : DualBounds{-infinity, 0.0};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double C) const { return {y, 1.0 / C, 0.0}; }
  /// C/2 (1 - y z - alpha / C)^2 where the slack is positive, else -alpha (1 - y z) +
  /// alpha^2 / (2 C).
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double slack = 1.0 - y * z;
    const double alpha = a * y;
    if (slack <= 0.0) return alpha * (0.5 * alpha / C - slack);
    const double residual = slack - alpha / C;
    return 0.5 * C * residual * residual;
  }
};

}  // namespace kernmix
