#pragma once
/// \file
/// Soft margin MKL with the squared hinge loss on kernels (SM2): D = simplex,
/// Phi(d) = ||d||^2 / (2 theta).
///
///   sigma(g) = min_lambda lambda + theta/2 sum_m (g_m - lambda)_+^2,   g = q/2
///   d(s): d^3 / theta + lambda d^2 = s^2 / 2 with the lambda that makes the sum 1
///
/// Xu, Tsang and Xu, TNNLS 2013. theta -> infinity is L1, theta -> 0 is Average.

#include <limits>
#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct SoftMarginSquared {
  static constexpr bool sparse = true;
  static constexpr bool simplex = true;

  double theta = 1.0;  ///< > 0

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
