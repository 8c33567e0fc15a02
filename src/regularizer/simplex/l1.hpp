#pragma once
/// \file
/// L1-MKL: D = simplex {d >= 0, sum d = 1}.
///
///   Omega(s) = 1/2 (sum_m s_m)^2      sigma(q/2) = 1/2 max_m q_m      d(s) = s / sum s
///
/// Bach, Lanckriet and Jordan 2004; Rakotomamonjy et al. 2008.

#include <limits>
#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/prox_slope.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct L1 {
  /// Zero weights are the rule: solvers may work on few kernels and price the others.
  static constexpr bool sparse = true;
  static constexpr bool polyhedral = true;
  /// The weights sum to 1.
  static constexpr bool simplex = true;

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const { return "l1"; }
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }
  [[nodiscard]] double upper_bound() const { return std::numeric_limits<double>::infinity(); }

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// Euclidean projection onto the simplex (Held, Wolfe and Crowder 1974), O(M log M).
  void project(MutableSpan x) const;
  /// Interior point solution of the quadratic program on the simplex.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
  void prox(double gamma, ConstSpan x, MutableSpan s) const;
  [[nodiscard]] ProxSlope prox_slope(double gamma, ConstSpan s) const;
};

}  // namespace kernmix
