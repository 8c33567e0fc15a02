#pragma once
/// \file
/// Entropy of the weights: D = simplex, Phi(d) = theta sum_m d_m log(M d_m), the divergence from
/// uniform weights; no weight is zero.
///
///   sigma(g) = theta log(1/M sum_m exp(g_m / theta)), attained at d ~ exp(g / theta),   g = q/2
///   d(s): theta log(M d) + lambda = s^2 / (2 d^2) with the lambda that makes the sum 1
///
/// The maximum that is sigma for L1, smoothed as in Nesterov, Mathematical Programming 2005; the
/// divergence of mirror descent (Beck and Teboulle 2003). theta -> 0 is L1, theta -> infinity is
/// Average.

#include "regularizer/simplex/whole_simplex.hpp"

namespace kernmix {

struct Entropy : OnWholeSimplex<Entropy> {
  static constexpr bool sparse = false;
  static constexpr bool penalised = true;
  static constexpr bool steep = true;  ///< Phi' = -infinity at zero weights

  double theta;  ///< > 0
  explicit Entropy(double scale = 1.0) : theta(scale) {}

  static constexpr std::array parameters{Parameter<Entropy>{"theta", &Entropy::theta}};
  static RegularizerInfo info() {
    return {"entropy:theta=T", "d >= 0, sum d = 1, Phi = T sum d log(M d)",
            "min_d 1/2 sum s^2/d + Phi", "entropy:theta=1"};
  }
  [[nodiscard]] WeightSet weight_set(Index M) const;
  [[nodiscard]] double conjugate(ConstSpan q) const;
  void best_weights(ConstSpan s, MutableSpan d) const;
  void maximizing_weights(ConstSpan q, MutableSpan d) const;
};

}  // namespace kernmix
