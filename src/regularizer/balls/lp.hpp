#pragma once
/// \file
/// Lp-norm MKL, 1 < p < infinity: D = {d >= 0, ||d||_p <= 1}.
///
///   Omega(s) = 1/2 ||s||_r^2, r = 2p/(p+1)        sigma(q/2) = 1/2 ||q||_{p*}, p* = p/(p-1)
///   d(s) = s^{2/(p+1)} / (sum s^{2p/(p+1)})^{1/p}
///
/// Kloft, Brefeld, Sonnenburg and Zien, JMLR 2011; Xu et al. 2010. p = 1 is L1,
/// p = infinity is Sum.

#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/defaults.hpp"
#include "regularizer/norm_prox.hpp"

namespace kernmix {

struct Lp : Defaults<Lp> {
  static constexpr bool strongly_convex = true;

  double p;  ///< in (1, infinity)
  explicit Lp(double exponent) : p(exponent) {}

  static constexpr std::array parameters{Parameter<Lp>{"p", &Lp::p}};
  static RegularizerInfo info() {
    return {"lp:p=P", "d >= 0, ||d||_P <= 1, 1 <= P <= inf", "1/2 ||s||_r^2, r = 2P/(P+1)",
            "lp:p=2"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const { unit_power(s, 2.0 / (p + 1.0), d); }
  /// d ~ q^{1/(p-1)} with ||d||_p = 1; uniform when all q are zero.
  void maximizing_weights(ConstSpan q, MutableSpan d) const { unit_power(q, 1.0 / (p - 1.0), d); }
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  /// Euclidean projection: x + lambda p x^{p-1} = max(z, 0) with lambda >= 0 such that ||x||_p
  /// <= 1.
  void project(MutableSpan x) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const {
    power_prox(gamma, 2.0 * p / (p + 1.0), x, s);
  }
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const {
    return power_prox_slope(gamma, 2.0 * p / (p + 1.0), s);
  }

 private:
  /// d ~ v^exponent with ||d||_p = 1.
  void unit_power(ConstSpan v, double exponent, MutableSpan d) const;
};

}  // namespace kernmix
