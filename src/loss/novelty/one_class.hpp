#pragma once
/// \file
/// One-class SVM (Schoelkopf et al. 2001), a loss without labels and with a threshold rho that is
/// learned:
///
///   min_rho  -rho + sum_i C_i [rho - z_i]_+,   C_i = 1 / (nu n).
///
/// Dual gain 0 on 0 <= a_i <= C_i, sum a = 1. The decision value is z - rho: the bias is -rho.

#include <array>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct OneClass {
  static constexpr Target target = Target::none;
  double nu = 0.5;  ///< bounds the share of outliers, in (0, 1]

  static constexpr std::array parameters{Parameter<OneClass>{"nu", &OneClass::nu, up_to_one}};
  static LossInfo info() {
    return {"one-class:nu=NU", "-rho + 1/(NU n) sum max(0, rho - z)", "one-class:nu=0.5"};
  }
  /// C_i, determined by nu.
  [[nodiscard]] double weight(double n) const { return 1.0 / (nu * n); }
  /// \throws ParameterError if no dual vector exists: sum C_i must be at least 1
  void check(ConstSpan y, ConstSpan C) const;

  [[nodiscard]] double gain(ConstSpan /*y*/, ConstSpan /*a*/, ConstSpan /*C*/) const { return 0.0; }
  [[nodiscard]] LossPoint at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const;
  [[nodiscard]] DualSet dual_set(ConstSpan y, ConstSpan C) const;
  [[nodiscard]] QuadraticTerm quadratic_term(double /*y*/, double /*C*/) const { return {}; }
};

}  // namespace kernmix
