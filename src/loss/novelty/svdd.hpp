#pragma once
/// \file
/// Support vector data description (Tax and Duin 2004): the smallest ball around the samples, with
/// a penalty for samples outside,
///
///   min_{R, c}  R^2 + sum_i C_i [|phi(x_i) - c|^2 - R^2]_+,   C_i = 1 / (nu n).
///
/// Its dual is max_a a'Da / 2 on 0 <= a_i <= C_i, sum a = 1, with the squared distances
/// D_ij = |phi(x_i) - phi(x_j)|^2. If the kernel weights sum to 1, it is the dual of the one-class
/// SVM on the kernels shift - D_m, plus shift / 2; and R^2 - |phi(x) - c|^2, the decision value, is
/// that of the one-class SVM. These kernels are in kernmix/kernel.hpp.

#include <array>

#include "kernmix/types.hpp"
#include "loss/novelty/one_class.hpp"
#include "loss/separable.hpp"

namespace kernmix {

struct Svdd {
  static constexpr Target target = Target::none;
  static constexpr bool on_distances = true;
  double nu = 0.5;     ///< bounds the share of outliers, in (0, 1]
  double shift = 0.0;  ///< of the kernels, set before use (with_shift)

  static constexpr std::array parameters{Parameter<Svdd>{"nu", &Svdd::nu, up_to_one}};
  static LossInfo info() {
    return {"svdd:nu=NU", "R^2 + 1/(NU n) sum max(0, |phi(x) - c|^2 - R^2)", "svdd:nu=0.5"};
  }
  [[nodiscard]] double weight(double n) const { return one_class().weight(n); }
  /// \throws ParameterError if no dual vector exists: sum C_i must be at least 1
  void check(ConstSpan y, ConstSpan C) const;

  [[nodiscard]] double gain(ConstSpan /*y*/, ConstSpan /*a*/, ConstSpan /*C*/) const {
    return 0.5 * shift;
  }
  /// The bias for kernels without the shift, which prediction uses.
  [[nodiscard]] LossPoint at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const;
  [[nodiscard]] DualSet dual_set(ConstSpan y, ConstSpan C) const {
    return one_class().dual_set(y, C);
  }
  [[nodiscard]] QuadraticTerm quadratic_term(double /*y*/, double /*C*/) const { return {}; }

 private:
  [[nodiscard]] OneClass one_class() const { return {nu}; }
};

}  // namespace kernmix
