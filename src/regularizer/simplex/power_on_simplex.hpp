#pragma once
/// \file
/// A power of the weights on the simplex, which two soft margin regularizers share.
///
///   Phi(d) = 1/p sum_m d_m (d_m / rho)^{p-1},   d >= 0, sum d = 1,   p > 1

#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct PowerOnSimplex {
  double p;
  double rho;

  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;
  /// min_lambda lambda + 1/p* sum_m (g_m - lambda)_+ d_m, d_m = rho (g_m - lambda)_+^{1/(p-1)},
  /// g = q/2: an upper bound for every lambda, so rounding cannot make a certificate too good.
  [[nodiscard]] double conjugate(ConstSpan q) const;
  /// The minimiser of 1/2 sum s^2 / d + Phi(d): (d/rho)^{p-1} d^2 + lambda d^2 = s^2 / 2.
  void best_weights(ConstSpan s, MutableSpan d) const;
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
