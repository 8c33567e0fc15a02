#pragma once
/// \file
/// SGMKL with the norm instead of its square: D = {d >= 0, v sum d + (1 - v) ||d||_2 <= 1}, 0 < v <
/// 1.
///
///   sigma(g) = the tau with ||(g - tau v)_+||_2 = tau (1 - v),   g = q/2
///   d(s): (v + (1 - v) x) x^2 proportional to s^2 with ||x||_2 = 1; d = x / (v sum x + 1 - v)
///
/// As Xu, Tsang and Xu, TNNLS 2013, print it; Sgmkl is what the code of Yang et al. solves
/// (docs/reference/regularizers/index.md). The two agree only at v = 0 and v = 1.

#include "regularizer/defaults.hpp"

namespace kernmix {

struct SgmklNorm : Defaults<SgmklNorm> {
  static constexpr bool sparse = true;

  double v;  ///< in (0, 1)
  explicit SgmklNorm(double share) : v(share) {}

  static constexpr std::array parameters{Parameter<SgmklNorm>{"v", &SgmklNorm::v}};
  static RegularizerInfo info() {
    return {"sgmkl-norm:v=V", "d >= 0, V sum d + (1-V) ||d||_2 <= 1, 0 <= V <= 1",
            "min_d 1/2 sum s^2/d", "sgmkl-norm:v=0.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// x = (1 - lambda (1 - v) / ||y||)_+ y, y = (z - lambda v)_+, with lambda >= 0 such that x is in
  /// D.
  void project(MutableSpan x) const;
};

}  // namespace kernmix
