#pragma once
/// \file
/// Lp-norm MKL with a penalty in place of the ball: D = {d >= 0}, Phi(d) = lambda / 2 ||d||_p^2.
///
///   Omega(s) = 3/2 lambda t^2, t = (||s||_r^2 / (2 lambda))^{1/3}, r = 2p/(p+1)
///   sigma(q/2) = ||q||_{p*}^2 / (8 lambda), p* = p/(p-1)
///   d(s) = t s^{2/(p+1)} / (sum s^{2p/(p+1)})^{1/p}
///
/// SMO-MKL: Vishwanathan, Sun, Ampornpunt and Varma, NIPS 2010. The same
/// classifiers as the ball ||d||_p <= 1 at another C (Kloft et al. 2011, theorem 1).

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct LpTikhonov {
  double p = 2.0;       ///< in (1, infinity)
  double lambda = 1.0;  ///< > 0

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  /// The centre of the ball's boundary, M^{-1/p}: D has no centre.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;

  /// d(s); zero when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// ||q||_{p*} / (2 lambda) times the weights of the ball ||d||_p = 1.
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  /// Clips at zero.
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
