#pragma once
/// \file
/// Soft margin MKL with the squared hinge loss on kernels (SM2): D = simplex,
/// Phi(d) = ||d||^2 / (2 theta).
///
///   sigma(g) = min_lambda lambda + theta/2 sum_m (g_m - lambda)_+^2,   g = q/2
///   d(s): d^3 / theta + lambda d^2 = s^2 / 2 with the lambda that makes the sum 1
///
/// Xu, Tsang and Xu, TNNLS 2013. theta -> infinity is L1, theta -> 0 is Average.

#include "regularizer/simplex/power_on_simplex.hpp"

namespace kernmix {

struct SoftMarginSquared : PowerOnSimplex<SoftMarginSquared> {
  double theta;  ///< > 0
  explicit SoftMarginSquared(double scale = 1.0) : theta(scale) {}

  static constexpr std::array parameters{
      Parameter<SoftMarginSquared>{"theta", &SoftMarginSquared::theta}};
  static RegularizerInfo info() {
    return {"soft-margin-squared:theta=T", "d >= 0, sum d = 1, Phi = ||d||^2/(2T)",
            "min_d 1/2 sum s^2/d + Phi", "soft-margin-squared:theta=1"};
  }
  [[nodiscard]] SimplexPower power() const { return {2.0, theta}; }
};

}  // namespace kernmix
