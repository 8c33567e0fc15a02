#pragma once
/// \file
/// Sparse generalised MKL: D = {d >= 0, v sum d + (1 - v) sum d^2 <= 1}, 0 < v < 1.
///
///   sigma(g) = min_tau tau + sum_m (g_m - tau v)_+^2 / (4 tau (1 - v)),   g = q/2
///   d(s): (v + 2 (1 - v) d) d^2 = s^2 / (2 tau), tau > 0 such that the constraint is tight
///
/// Yang, Xu, Ye, King and Lyu 2011: the authors' code has the sum of squares, while the soft margin
/// paper prints the norm. v = 1 is L1, v = 0 is Lp at p = 2.

#include "regularizer/defaults.hpp"

namespace kernmix {

/// The parameter v of both kinds of SGMKL. \throws ParameterError unless it is in [0, 1]
[[nodiscard]] double sgmkl_share(const std::string& text);

struct Sgmkl : Defaults<Sgmkl> {
  static constexpr bool sparse = true;

  double v;  ///< in (0, 1)
  explicit Sgmkl(double share) : v(share) {}

  static constexpr std::array parameters{Parameter<Sgmkl>{"v", &Sgmkl::v}};
  static RegularizerInfo info() {
    return {"sgmkl:v=V", "d >= 0, V sum d + (1-V) sum d^2 <= 1, 0 <= V <= 1", "min_d 1/2 sum s^2/d",
            "sgmkl:v=0.5"};
  }
  static Regularizer parse(const std::string& text);
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] Vector initial_weights(Index M) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;

  /// d(s); uniform when all s are zero.
  void best_weights(ConstSpan s, MutableSpan d) const;
  /// x = (z - lambda v)_+ / (1 + 2 lambda (1 - v)) with lambda >= 0 such that x is in D.
  void project(MutableSpan x) const;
};

}  // namespace kernmix
