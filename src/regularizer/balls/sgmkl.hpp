#pragma once
/// \file
/// Sparse generalised MKL: D = {d >= 0, v sum d + (1 - v) sum d^2 <= 1}, 0 < v < 1.
///
///   sigma(g) = min_tau tau + sum_m (g_m - tau v)_+^2 / (4 tau (1 - v)),   g = q/2
///   d(s): (v + 2 (1 - v) d) d^2 = s^2 / (2 tau), tau > 0 such that the constraint is tight
///
/// Yang, Xu, Ye, King and Lyu 2011: the sum of squares is that of the authors'
/// code, where the soft margin paper prints the norm. v = 1 is L1, v = 0 is Lp at p = 2.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct Sgmkl {
  static constexpr bool sparse = true;

  double v = 0.5;  ///< in (0, 1)

  static std::vector<RegularizerInfo> rows();
  static Regularizer parse(const std::string& text);
  [[nodiscard]] std::string text() const;
  void check(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double omega(ConstSpan s) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  [[nodiscard]] double penalty(ConstSpan) const { return 0.0; }

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// x = (z - lambda v)_+ / (1 + 2 lambda (1 - v)) with lambda >= 0 such that x is in D.
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
