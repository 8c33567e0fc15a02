#pragma once
/// \file
/// Interfaces of losses, and of losses that are a sum over samples.

#include <concepts>

#include "base/arguments.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The interval of a dual variable.
struct DualBounds {
  double lower;
  double upper;
};

/// The quadratic part of -gain: 1/2 diagonal a^2 - linear a + kink |a| for one sample.
struct QuadraticTerm {
  double linear = 0.0;
  double diagonal = 0.0;
  double kink = 0.0;
};

/// Derivatives of C l(y, z) with respect to z; the second one is that of a piece at jumps.
struct LossSlope {
  double first = 0.0;
  double second = 0.0;
};

/// C l(y, z) for one sample with its conjugate; `a` is the signed dual variable. The certificate
/// sums the Fenchel-Young inequality C l(y, z) + (C l)*(-a) + a z >= 0.
template <typename L>
concept IsSeparableLoss = requires(const L loss, double y, double z, double a, double C) {
  { loss.value(y, z, C) } -> std::convertible_to<double>;         ///< C l(y, z)
  { loss.dual_value(y, a, C) } -> std::convertible_to<double>;    ///< -(C l)*(-a), the gain in D
  { loss.dual_bounds(y, C) } -> std::convertible_to<DualBounds>;  ///< domain of a
  /// >= 0, without cancellation
  { loss.fenchel_young(y, z, a, C) } -> std::convertible_to<double>;
};

/// The loss is a sum over samples of their decision values of all classes: dual vectors and
/// decision values have functions(y) entries for each sample. It has `of`, `gain` and `dual_set`.
template <typename L>
concept JoinsClasses = requires(ConstSpan y) {
  { L::functions(y) } -> std::convertible_to<Index>;
};

/// The loss has its own argmin_b sum_i C_i l(y_i, z_i + b), instead of loss/bias_search.hpp.
template <typename L>
concept HasBestBias = requires(const L loss, ConstSpan v) {
  { loss.best_bias(v, v, v) } -> std::convertible_to<double>;
};

/// The loss is differentiable.
template <typename L>
concept HasSlope = requires(const L loss, double y, double z, double C) {
  { loss.slope(y, z, C) } -> std::convertible_to<LossSlope>;
};

/// The gain is 'linear a - 1/2 diagonal a^2 - kink |a|' inside the box: SMO solves the inner
/// problem.
template <typename L>
concept HasQuadraticDual = requires(const L loss, double y, double C) {
  { loss.quadratic_term(y, C) } -> std::convertible_to<QuadraticTerm>;
};

/// The gain is smooth inside the box: Newton's method solves the inner problem.
template <typename L>
concept HasSmoothDual = requires(const L loss, double y, double a, double C) {
  { loss.dual_slope(y, a, C) } -> std::convertible_to<double>;      ///< d gain / d a
  { loss.dual_curvature(y, a, C) } -> std::convertible_to<double>;  ///< -d^2 gain / d a^2, > 0
};

/// The loss determines the weight of its terms, without C.
template <typename L>
concept HasOwnWeight = requires(const L loss, double n) {
  { loss.weight(n) } -> std::convertible_to<double>;
};

/// The loss has numeric parameters, listed in `parameters`.
template <typename L>
concept HasParameters = requires {
  L::parameters;
};

/// The loss depends on samples only through their distances D_m. It is stated with the kernels
/// shift - D_m, which are positive semidefinite only on vectors of sum 0: functions f_m have no
/// norm, and the weights must sum to 1.
template <typename L>
concept OnDistances = requires {
  requires L::on_distances;
};

/// The loss is Lipschitz in z, as stochastic subgradient methods require.
template <typename L>
concept HasBoundedSlope = requires {
  requires L::bounded_slope;
};

}  // namespace kernmix
