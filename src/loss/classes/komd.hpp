#pragma once
/// \file
/// The loss of KOMD (Aiolli, Da San Martino and Sperduti 2008), kernel optimisation of the margin
/// distribution: nu-SVC with squares. With kappa = lambda / (1 - lambda),
///
///   min_{b, rho}  -rho + 1/(2 kappa) sum_i C_i [rho - y_i (z_i + b)]_+^2,   y = +-1.
///
/// Dual gain -kappa/2 sum_i a_i^2 / C_i on a_i y_i >= 0 where the samples of either class sum to
/// 1/2. Divided by 2 (1 - lambda) it is the problem of EasyMKL with gamma_i = 2 |a_i|:
///
///   min over gamma  (1 - lambda) gamma' Y K Y gamma + lambda ||gamma||^2.
///
/// lambda = 0 is the hard margin: min_r -r/2 subject to r <= y_i z_i in each class.

#include <array>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Komd {
  static constexpr Target target = Target::classes;
  double lambda = 0.1;  ///< weight of the margin (0) against its variance (towards 1), in [0, 1)

  static constexpr std::array parameters{
      Parameter<Komd>{"lambda", &Komd::lambda, zero_or_below_one}};
  static LossInfo info() {
    return {"komd:lambda=L", "-rho + (1-L)/(2L) sum max(0, rho - y z)^2", "komd:lambda=0.1"};
  }
  /// The loss has no C.
  [[nodiscard]] double weight(double /*n*/) const { return 1.0; }
  /// \throws ParameterError unless both classes occur
  void check(ConstSpan y, ConstSpan C) const;

  [[nodiscard]] double kappa() const { return lambda / (1.0 - lambda); }
  [[nodiscard]] double gain(ConstSpan y, ConstSpan a, ConstSpan C) const;
  [[nodiscard]] LossPoint at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const;
  [[nodiscard]] DualSet dual_set(ConstSpan y, ConstSpan C) const;
  [[nodiscard]] QuadraticTerm quadratic_term(double /*y*/, double C) const {
    return {0.0, kappa() / C, 0.0};
  }
};

}  // namespace kernmix
