#pragma once
/// \file
/// Soft margin MKL with the hinge loss to the power p* = p/(p-1) on kernels: D = simplex,
/// Phi(d) = kappa/p sum d^p, kappa = (theta p* / 2)^{1-p}.
///
///   sigma(g) = min_lambda lambda + 1/p* sum_m kappa^{1-p*} (g_m - lambda)_+^{p*},   g = q/2
///   d(s): kappa d^{p+1} + lambda d^2 = s^2 / 2 with the lambda that makes the sum 1
///
/// Xu, Tsang and Xu, TNNLS 2013. p = 2 is SoftMarginSquared.

#include "regularizer/simplex/power_on_simplex.hpp"

namespace kernmix {

struct SoftMarginPower : PowerOnSimplex<SoftMarginPower> {
  double theta;  ///< > 0
  double p;      ///< in (1, infinity)
  explicit SoftMarginPower(double scale = 1.0, double exponent = 2.0) : theta(scale), p(exponent) {}

  static constexpr std::array parameters{
      Parameter<SoftMarginPower>{"theta", &SoftMarginPower::theta},
      Parameter<SoftMarginPower>{"p", &SoftMarginPower::p}};
  static RegularizerInfo info() {
    return {"soft-margin-power:theta=T,p=P", "d >= 0, sum d = 1, Phi = (T P*/2)^(1-P) sum d^P / P",
            "min_d 1/2 sum s^2/d + Phi", "soft-margin-power:theta=1,p=3"};
  }
  static Regularizer parse(const std::string& text);
  /// kappa = rho^{1-p} with rho = theta p* / 2.
  [[nodiscard]] SimplexPower power() const { return {p, 0.5 * theta * p / (p - 1.0)}; }
};

}  // namespace kernmix
