#pragma once
/// \file
/// The unsquared block norm of SpicyMKL and DAL: D = {d >= 0}, Phi(d) = lambda^2 / 2 sum d.
///
///   Omega(s) = lambda sum_m s_m       sigma(q/2) = 0 if max_m sqrt(q_m) <= lambda, else infinity
///   d(s) = s / lambda
///
/// Suzuki and Tomioka, SpicyMKL, 2011. The same classifiers as L1 at another C:
/// lambda sum s + loss here is 1/2 (sum s)^2 + C loss there with C = (sum s) / lambda.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/prox_slope.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct L1Unsquared {
  static constexpr bool sparse = true;
  static constexpr bool polyhedral = true;
  static constexpr bool bounded_dual = true;

  double lambda = 1.0;  ///< > 0

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  /// 1/M: D has no centre, and the right scale depends on the loss.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  /// Infinite beyond the ball max sqrt(q) <= lambda, up to rounding (1e-12 relative).
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;

  void best_weights(ConstSpan s, MutableSpan d) const;
  /// Clips at zero.
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D, up to ten times the largest
  /// present weight: a kernel with sqrt(q) > lambda and no curvature would grow without bound.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const;
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const;
};

}  // namespace kernmix
