#pragma once
/// \file
/// The additive elastic net of SpicyMKL and DAL: D = {0 <= d < 1/l2},
/// Phi(d) = sum l1^2 d / (2 (1 - l2 d)).
///
///   Omega(s) = sum_m l1 s_m + l2/2 s_m^2      sigma(q/2) = sum_m (sqrt(q_m) - l1)_+^2 / (2 l2)
///   d(s) = s / (l1 + l2 s)
///
/// Tomioka and Suzuki 2010; Suzuki and Tomioka 2011. Different from Bach's elastic net and from
/// SGMKL (docs/reference/regularizers/index.md). l2 = 0 is L1Unsquared.

#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/defaults.hpp"
#include "regularizer/norm_prox.hpp"

namespace kernmix {

struct ElasticNet : Defaults<ElasticNet> {
  static constexpr bool sparse = true;
  static constexpr bool strongly_convex = true;
  static constexpr bool penalised = true;

  double l1;  ///< > 0
  double l2;  ///< > 0
  ElasticNet(double linear, double square) : l1(linear), l2(square) {}

  static constexpr std::array parameters{Parameter<ElasticNet>{"l1", &ElasticNet::l1},
                                         Parameter<ElasticNet>{"l2", &ElasticNet::l2}};
  static RegularizerInfo info() {
    return {"elastic-net:l1=A,l2=B", "0 <= d < 1/B", "A sum s + B/2 sum s^2",
            "elastic-net:l1=1,l2=0.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  /// The centre of D, at most 1/M.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  /// Infinite for d_m >= 1/l2.
  [[nodiscard]] double penalty(ConstSpan d) const;

  void best_weights(ConstSpan s, MutableSpan d) const;
  /// (1 - l1 / sqrt(q))_+ / l2
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  /// Clips to [0, largest_weight()].
  void project(MutableSpan x) const { clip(x, 0.0, largest_weight()); }

  /// The largest weight below 1/l2, where Phi is infinite, for which 1 - l2 d is accurate.
  [[nodiscard]] double largest_weight() const { return (1.0 - 1e-12) / l2; }
  void prox(double gamma, ConstSpan x, MutableSpan s) const { net_prox(gamma, l1, l2, x, s); }
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const {
    return net_prox_slope(gamma, l2, s);
  }
};

}  // namespace kernmix
