#pragma once
/// \file
/// Lp-norm MKL, 1 < p < infinity: D = {d >= 0, ||d||_p <= 1}.
///
///   Omega(s) = 1/2 ||s||_r^2, r = 2p/(p+1)        sigma(q/2) = 1/2 ||q||_{p*}, p* = p/(p-1)
///   d(s) = s^{2/(p+1)} / (sum s^{2p/(p+1)})^{1/p}
///
/// Kloft, Brefeld, Sonnenburg and Zien, JMLR 2011; Xu et al. 2010. p = 1 is L1,
/// p = infinity is Sum.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/prox_slope.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct Lp {
  static constexpr bool strongly_convex = true;

  double p = 2.0;  ///< in (1, infinity)

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// d ~ q^{1/(p-1)} with ||d||_p = 1; uniform when all q are zero.
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  /// Euclidean projection: x + lambda p x^{p-1} = max(z, 0) with lambda >= 0 such that ||x||_p
  /// <= 1.
  void project(MutableSpan x) const;
  /// Interior point solution of the quadratic program on the ball ||x||_p <= 1.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const;
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const;
};

}  // namespace kernmix
