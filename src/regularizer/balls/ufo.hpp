#pragma once
/// \file
/// The norm of UFO-MKL: strongly convex, and sparse where alpha > 0.
///
///   Omega(s) = lambda/2 ||s||_p^2 + alpha sum s,   p = P/(P-1),   P = 2 ln M (2 for M < 3)
///   sigma(q/2) = ||(sqrt(q) - alpha)_+||_P^2 / (2 lambda)
///   d(s) = s / Omega'(s),   D = {d >= 0, lambda ||d||_{P/(P-2)} < 1}
///
/// Orabona and Luo, ICML 2011, section 3. Phi has a closed form for alpha = 0 (it is 0 and D is
/// closed) and for M < 3 (the additive elastic net); otherwise it comes from a root, Phi(d) =
/// alpha/2 d'(alpha + w) with d_m (w_m + alpha) = w_m^{P-1} ||w||_P^{2-P} / lambda.

#include "regularizer/defaults.hpp"
#include "regularizer/prox_slope.hpp"

namespace kernmix {

struct Ufo : Defaults<Ufo> {
  static constexpr bool sparse = true;
  static constexpr bool strongly_convex = true;

  double lambda;  ///< > 0
  double alpha;   ///< >= 0
  Ufo(double square, double linear) : lambda(square), alpha(linear) {}

  static constexpr std::array parameters{Parameter<Ufo>{"lambda", &Ufo::lambda},
                                         Parameter<Ufo>{"alpha", &Ufo::alpha}};
  static RegularizerInfo info() {
    return {"ufo:lambda=L,alpha=A", "d >= 0, L ||d||_{P/(P-2)} < 1, P = 2 ln M",
            "L/2 ||s||_p^2 + A sum s, p = P/(P-1)", "ufo:lambda=1,alpha=0.1"};
  }
  static Regularizer parse(const std::string& text);
  /// Uniform, half way to the boundary of D.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;

  void best_weights(ConstSpan s, MutableSpan d) const;
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  /// Euclidean projection onto D; for alpha > 0 it stays 1e-12 inside the boundary.
  void project(MutableSpan x) const;
  /// The proximal map of lambda/2 ||s||_p^2 at (x - gamma alpha)_+.
  void prox(double gamma, ConstSpan x, MutableSpan s) const;
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const;

 private:
  /// lambda times the largest norm that weights may have.
  [[nodiscard]] double room() const { return alpha > 0.0 ? 1.0 - 1e-12 : 1.0; }
};

}  // namespace kernmix
