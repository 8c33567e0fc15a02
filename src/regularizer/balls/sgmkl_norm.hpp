#pragma once
/// \file
/// SGMKL with the norm in place of its square: D = {d >= 0, v sum d + (1 - v) ||d||_2 <= 1},
/// 0 < v < 1.
///
///   sigma(g) = the tau with ||(g - tau v)_+||_2 = tau (1 - v),   g = q/2
///   d(s): (v + (1 - v) x) x^2 proportional to s^2 with ||x||_2 = 1; d = x / (v sum x + 1 - v)
///
/// As Xu, Tsang and Xu, TNNLS 2013, print it; Sgmkl is what the code of Yang et al. solves
/// (docs/regularizers.md). The two agree at v = 0 and v = 1 only.

#include <string>
#include <vector>

#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

struct SgmklNorm {
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
  /// x = (1 - lambda (1 - v) / ||y||)_+ y, y = (z - lambda v)_+, with lambda >= 0 such that x is in
  /// D.
  void project(MutableSpan x) const;
  /// Interior point minimiser of a quadratic model plus Phi over D.
  [[nodiscard]] Vector minimize_quadratic(const WeightModel& model) const;
};

}  // namespace kernmix
