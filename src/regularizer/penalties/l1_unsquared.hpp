#pragma once
/// \file
/// The unsquared block norm of SpicyMKL and DAL: D = {d >= 0}, Phi(d) = lambda^2 / 2 sum d.
///
///   Omega(s) = lambda sum_m s_m       sigma(q/2) = 0 if max_m sqrt(q_m) <= lambda, else infinity
///   d(s) = s / lambda
///
/// Suzuki and Tomioka, SpicyMKL, 2011. The same classifiers as L1 at another C:
/// lambda sum s + loss here is 1/2 (sum s)^2 + C loss there with C = (sum s) / lambda.

#include "regularizer/defaults.hpp"
#include "regularizer/norm_prox.hpp"

namespace kernmix {

struct L1Unsquared : Defaults<L1Unsquared> {
  static constexpr bool sparse = true;
  static constexpr bool polyhedral = true;
  static constexpr bool bounded_dual = true;
  static constexpr bool penalised = true;

  double lambda;  ///< > 0
  explicit L1Unsquared(double factor = 1.0) : lambda(factor) {}

  static constexpr std::array parameters{Parameter<L1Unsquared>{"lambda", &L1Unsquared::lambda}};
  static RegularizerInfo info() {
    return {"l1-unsquared:lambda=L", "d >= 0", "L sum s", "l1-unsquared:lambda=1"};
  }
  /// Weights up to ten times the largest current one: a kernel with sqrt(q) > lambda and no
  /// curvature would grow without bound.
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  /// Infinite beyond the ball max sqrt(q) <= lambda, up to rounding (1e-12 relative).
  [[nodiscard]] double conjugate(ConstSpan q) const;
  void best_weights(ConstSpan s, MutableSpan d) const;
  void project(MutableSpan x) const { clip(x, 0.0); }
  void prox(double gamma, ConstSpan x, MutableSpan s) const { net_prox(gamma, lambda, 0.0, x, s); }
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const {
    return net_prox_slope(gamma, 0.0, s);
  }
};

}  // namespace kernmix
