#pragma once
/// \file
/// A power of the weights on the simplex, for two soft margin regularizers.
///
///   Phi(d) = 1/p sum_m d_m (d_m / rho)^{p-1},   d >= 0, sum d = 1,   p > 1

#include "regularizer/simplex/whole_simplex.hpp"

namespace kernmix {

struct SimplexPower {
  double p;
  double rho;

  [[nodiscard]] WeightSet weight_set() const;
  /// min_lambda lambda + 1/p* sum_m (g_m - lambda)_+ d_m, d_m = rho (g_m - lambda)_+^{1/(p-1)},
  /// g = q/2: an upper bound for every lambda, so that rounding does not invalidate a certificate.
  [[nodiscard]] double conjugate(ConstSpan q) const;
  /// The minimiser of 1/2 sum s^2 / d + Phi(d): (d/rho)^{p-1} d^2 + lambda d^2 = s^2 / 2.
  void best_weights(ConstSpan s, MutableSpan d) const;
};

/// R with its `power()`.
template <typename R>
struct PowerOnSimplex : OnWholeSimplex<R> {
  static constexpr bool penalised = true;

  [[nodiscard]] WeightSet weight_set(Index) const { return this->self().power().weight_set(); }
  [[nodiscard]] double conjugate(ConstSpan q) const { return this->self().power().conjugate(q); }
  /// d(s); for lambda < 0 kernels with s = 0 get equal weights.
  void best_weights(ConstSpan s, MutableSpan d) const { this->self().power().best_weights(s, d); }
};

}  // namespace kernmix
