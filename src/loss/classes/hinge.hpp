#pragma once
/// \file
/// Hinge loss: l(y, z) = max(0, 1 - y z), y = +-1. With C: dual gain a y on 0 <= a y <= C.

#include "kernmix/types.hpp"
#include "loss/classes/crammer_singer.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Hinge {
  static constexpr Target target = Target::classes;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides

  using OfAllClasses = CrammerSinger;

  static LossInfo info() { return {"hinge", "max(0, 1 - y z)", "hinge"}; }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double slack = 1.0 - y * z;
    return slack > 0.0 ? C * slack : 0.0;
  }
  [[nodiscard]] double dual_value(double y, double a, double /*C*/) const { return a * y; }
  [[nodiscard]] DualBounds dual_bounds(double y, double C) const {
    return y > 0.0 ? DualBounds{0.0, C} : DualBounds{-C, 0.0};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double /*C*/) const { return {y, 0.0, 0.0}; }
  /// C [1 - y z]_+ - a y (1 - y z): two cases, each a product of non-negative numbers.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double slack = 1.0 - y * z;
    const double alpha = a * y;
    return slack > 0.0 ? (C - alpha) * slack : -alpha * slack;
  }
};

}  // namespace kernmix
