#pragma once
/// \file
/// Huberised hinge loss of width h, the Moreau envelope of the hinge loss: with s = 1 - y z,
///
///   l(y, z) = 0 for s <= 0,   s^2 / (2 h) for 0 <= s <= h,   s - h/2 for s >= h,   y = +-1.
///
/// With alpha = a y and C: dual gain alpha - h alpha^2 / (2 C) on 0 <= alpha <= C.

#include <array>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct HuberHinge {
  static constexpr Target target = Target::classes;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides
  double h = 0.5;                              ///< width of the quadratic part, > 0

  static constexpr std::array parameters{Parameter<HuberHinge>{"h", &HuberHinge::h}};
  static LossInfo info() {
    return {"huber-hinge:h=H", "hinge, s^2/(2H) where s = 1 - y z is in [0, H]",
            "huber-hinge:h=0.5"};
  }

  [[nodiscard]] double value(double y, double z, double C) const {
    const double slack = 1.0 - y * z;
    if (slack <= 0.0) return 0.0;
    return slack < h ? 0.5 * C * slack * slack / h : C * (slack - 0.5 * h);
  }
  [[nodiscard]] LossSlope slope(double y, double z, double C) const {
    const double slack = 1.0 - y * z;
    if (slack <= 0.0) return {};
    return slack < h ? LossSlope{-C * y * slack / h, C / h} : LossSlope{-C * y, 0.0};
  }
  [[nodiscard]] double dual_value(double y, double a, double C) const {
    return a * y - 0.5 * h * a * a / C;
  }
  [[nodiscard]] DualBounds dual_bounds(double y, double C) const {
    return y > 0.0 ? DualBounds{0.0, C} : DualBounds{-C, 0.0};
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double y, double C) const { return {y, h / C, 0.0}; }
  /// One case for each piece of the loss, with products and squares of non-negative numbers.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const {
    const double slack = 1.0 - y * z;
    const double alpha = a * y;
    if (slack <= 0.0) return alpha * (0.5 * h * alpha / C - slack);
    if (slack >= h) return (C - alpha) * (slack - h + 0.5 * h * (C - alpha) / C);
    const double residual = slack - h * alpha / C;
    return 0.5 * C / h * residual * residual;
  }
};

}  // namespace kernmix
