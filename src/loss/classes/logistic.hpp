#pragma once
/// \file
/// Logistic loss: l(y, z) = log(1 + exp(-y z)), y = +-1. With t = a y / C: dual gain
/// -C [t log t + (1 - t) log(1 - t)] on 0 <= t <= 1.

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Logistic {
  static constexpr Target target = Target::classes;
  static constexpr bool bounded_slope = true;  ///< in z: dual variables are bounded on both sides
  static constexpr bool probability = true;    ///< decision values are log odds

  static constexpr bool entropic = true;  ///< the terms of the gain are up to C

  static LossInfo info() { return {"logistic", "log(1 + exp(-y z))", "logistic"}; }

  [[nodiscard]] double value(double y, double z, double C) const;
  [[nodiscard]] LossSlope slope(double y, double z, double C) const;
  [[nodiscard]] double dual_value(double y, double a, double C) const;
  [[nodiscard]] DualBounds dual_bounds(double y, double C) const {
    return y > 0.0 ? DualBounds{0.0, C} : DualBounds{-C, 0.0};
  }
  [[nodiscard]] double dual_slope(double y, double a, double C) const;
  [[nodiscard]] double dual_curvature(double y, double a, double C) const;
  /// C times the Kullback-Leibler divergence of Bernoulli distributions with t and p = 1 / (1 +
  /// exp(y z)),
  ///
  ///   C [t h((p - t) / t) + (1 - t) h((t - p) / (1 - t))],   h(x) = x - log(1 + x) >= 0.
  [[nodiscard]] double fenchel_young(double y, double z, double a, double C) const;
  /// The bias that minimises the sum, by Newton's method; if all labels are equal it does not
  /// exist, and the loss is 0 in double precision at the returned value.
  [[nodiscard]] double best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const;
};

}  // namespace kernmix
