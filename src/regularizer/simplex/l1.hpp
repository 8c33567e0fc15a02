#pragma once
/// \file
/// L1-MKL: D = simplex {d >= 0, sum d = 1}.
///
///   Omega(s) = 1/2 (sum_m s_m)^2      sigma(q/2) = 1/2 max_m q_m      d(s) = s / sum s
///
/// Bach, Lanckriet and Jordan 2004; Rakotomamonjy et al. 2008.

#include "regularizer/norm_prox.hpp"
#include "regularizer/simplex/whole_simplex.hpp"

namespace kernmix {

struct L1 : OnWholeSimplex<L1> {
  static constexpr bool polyhedral = true;

  static RegularizerInfo info() { return {"l1", "d >= 0, sum d = 1", "1/2 (sum s)^2", "l1"}; }
  [[nodiscard]] WeightSet weight_set(Index) const { return simplex_set(); }
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const { return 0.5 * largest(q); }
  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const { squared_sum_prox(gamma, 0.0, x, s); }
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const {
    return squared_sum_prox_slope(gamma, 0.0, s);
  }
};

}  // namespace kernmix
