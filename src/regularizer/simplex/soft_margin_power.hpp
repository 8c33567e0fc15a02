#pragma once
/// \file
/// Soft margin MKL with the hinge loss to the power p* = p/(p-1) on kernels: D = simplex,
/// Phi(d) = kappa/p sum d^p, kappa = (theta p* / 2)^{1-p}.
///
///   sigma(g) = min_lambda lambda + 1/p* sum_m kappa^{1-p*} (g_m - lambda)_+^{p*},   g = q/2
///   d(s): kappa d^{p+1} + lambda d^2 = s^2 / 2 with the lambda that makes the sum 1
///
/// Xu, Tsang and Xu, TNNLS 2013. p = 2 is SoftMarginSquared.

#include <limits>
#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct SoftMarginPower {
  static constexpr bool sparse = true;
  static constexpr bool simplex = true;

  double theta = 1.0;  ///< > 0
  double p = 2.0;      ///< in (1, infinity)

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;
  [[nodiscard]] double upper_bound() const { return std::numeric_limits<double>::infinity(); }

  /// d(s); kernels with s = 0 share what lambda < 0 gives them evenly.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// Euclidean projection onto the simplex.
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
