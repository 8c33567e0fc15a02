#pragma once
/// \file
/// nu-SVC in the form of the soft margin paper (Xu, Tsang and Xu 2013), a loss with a margin rho
/// that is learned:
///
///   min_{b, rho}  -rho + sum_i C_i [rho - y_i (z_i + b)]_+,   C_i = 1 / (nu n),   y = +-1.
///
/// Dual gain 0 on 0 <= a_i y_i <= C_i with a sum of 1/2 over each class. With r_+ = rho - b and r_-
/// = rho + b the minimum splits into one for each class,
///
///   min_r  -r/2 + sum_{i of the class} C_i [r - y_i z_i]_+.

#include <array>

#include "kernmix/types.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct NuSvc {
  static constexpr Target target = Target::classes;
  double nu = 0.5;  ///< bounds the share of margin errors, in (0, 1]

  static constexpr std::array parameters{Parameter<NuSvc>{"nu", &NuSvc::nu, up_to_one}};
  static LossInfo info() {
    return {"nu-svc:nu=NU", "-rho + 1/(NU n) sum max(0, rho - y z)", "nu-svc:nu=0.5"};
  }
  /// C_i, determined by nu.
  [[nodiscard]] double weight(double n) const { return 1.0 / (nu * n); }
  /// \throws ParameterError if no dual vector exists: each class needs sum C_i >= 1/2
  void check(ConstSpan y, ConstSpan C) const;

  [[nodiscard]] double gain(ConstSpan /*y*/, ConstSpan /*a*/, ConstSpan /*C*/) const { return 0.0; }
  [[nodiscard]] LossPoint at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const;
  [[nodiscard]] DualSet dual_set(ConstSpan y, ConstSpan C) const;
  [[nodiscard]] QuadraticTerm quadratic_term(double /*y*/, double /*C*/) const { return {}; }
};

}  // namespace kernmix
