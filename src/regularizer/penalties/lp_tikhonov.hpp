#pragma once
/// \file
/// Lp-norm MKL with a penalty instead of the ball: D = {d >= 0}, Phi(d) = lambda / 2 ||d||_p^2.
///
///   Omega(s) = 3/2 lambda t^2, t = (||s||_r^2 / (2 lambda))^{1/3}, r = 2p/(p+1)
///   sigma(q/2) = ||q||_{p*}^2 / (8 lambda), p* = p/(p-1)
///   d(s) = t s^{2/(p+1)} / (sum s^{2p/(p+1)})^{1/p}
///
/// SMO-MKL: Vishwanathan, Sun, Ampornpunt and Varma, NIPS 2010. The same
/// classifiers as the ball ||d||_p <= 1 at another C (Kloft et al. 2011, theorem 1).

#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/defaults.hpp"

namespace kernmix {

struct LpTikhonov : Defaults<LpTikhonov> {
  static constexpr bool penalised = true;

  double p;       ///< in (1, infinity)
  double lambda;  ///< > 0
  LpTikhonov(double exponent, double factor) : p(exponent), lambda(factor) {}

  static constexpr std::array parameters{Parameter<LpTikhonov>{"p", &LpTikhonov::p},
                                         Parameter<LpTikhonov>{"lambda", &LpTikhonov::lambda}};
  static RegularizerInfo info() {
    return {"lp-tikhonov:p=P,lambda=L", "d >= 0, Phi = L/2 ||d||_P^2, 1 < P < inf",
            "3/2 L t^2, t^3 = ||s||_r^2 / (2 L), r = 2P/(P+1)", "lp-tikhonov:p=1.5,lambda=1"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  /// The centre of the ball's boundary, M^{-1/p}: D has no centre.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// d(s); zero when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// ||q||_{p*} / (2 lambda) times the weights of the ball ||d||_p = 1.
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  void project(MutableSpan x) const { clip(x, 0.0); }
};

}  // namespace kernmix
