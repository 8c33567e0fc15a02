#pragma once
/// \file
/// The additive elastic net of SpicyMKL and DAL: D = {0 <= d < 1/l2},
/// Phi(d) = sum l1^2 d / (2 (1 - l2 d)).
///
///   Omega(s) = sum_m l1 s_m + l2/2 s_m^2      sigma(q/2) = sum_m (sqrt(q_m) - l1)_+^2 / (2 l2)
///   d(s) = s / (l1 + l2 s)
///
/// Tomioka and Suzuki 2010; Suzuki and Tomioka 2011. Neither Bach's elastic net nor SGMKL
/// (docs/regularizers.md). l2 = 0 is L1Unsquared.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/conjugate_curvature.hpp"
#include "regularizer/prox_slope.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct ElasticNet {
  static constexpr bool sparse = true;
  static constexpr bool strongly_convex = true;

  double l1 = 1.0;  ///< > 0
  double l2 = 1.0;  ///< > 0

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  /// The middle of D, at most 1/M.
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  /// Infinite for d_m >= 1/l2.
  [[nodiscard]] double penalty(ConstSpan d) const;
  void add_penalty_slope(ConstSpan d, MutableSpan slope) const;

  void best_weights(ConstSpan s, MutableSpan d) const;
  /// (1 - l1 / sqrt(q))_+ / l2
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
  [[nodiscard]] ConjugateCurvature conjugate_curvature(ConstSpan q, ConstSpan d) const;
  /// Clips to [0, largest_weight()].
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;

  /// As close to 1/l2, where Phi is infinite, as rounding allows 1 - l2 d to be meaningful.
  [[nodiscard]] double largest_weight() const { return (1.0 - 1e-12) / l2; }
  void prox(double gamma, ConstSpan x, MutableSpan s) const;
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const;
};

}  // namespace kernmix
