#pragma once
/// \file
/// Pinball loss: l(y, z) = tau u for u = y - z >= 0, (tau - 1) u for u < 0, y real. With C: dual
/// gain a y on C (tau - 1) <= a <= C tau. Estimates the quantile tau of y (Koenker and Bassett).

#include <array>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Pinball {
  static constexpr Target target = Target::numbers;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides
  double tau = 0.5;                            ///< the quantile, in (0, 1)

  static constexpr std::array parameters{Parameter<Pinball>{"tau", &Pinball::tau, below_one}};
  static LossInfo info() {
    return {"pinball:tau=T", "max(T u, (T - 1) u), u = y - z", "pinball:tau=0.5"};
  }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double above = y - z;
    return C * above * (above >= 0.0 ? tau : tau - 1.0);
  }
  [[nodiscard]] double dual_value(double y, double a, double /*C*/) const { return a * y; }
  [[nodiscard]] DualBounds dual_bounds(double /*y*/, double C) const {
    return {C * (tau - 1.0), C * tau};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double /*C*/) const { return {y, 0.0, 0.0}; }
  /// |y - z| times the distance of a from the bound in the direction of y - z.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double above = y - z;
    const DualBounds bounds = dual_bounds(y, C);
    return above >= 0.0 ? (bounds.upper - a) * above : (a - bounds.lower) * -above;
  }
};

}  // namespace kernmix
