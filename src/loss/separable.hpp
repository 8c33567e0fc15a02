#pragma once
/// \file
/// Losses that are a sum over samples, and what follows for all of them.

#include <cmath>
#include <concepts>
#include <string>

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The interval that a dual variable must stay in.
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

/// Derivatives of C l(y, z) with respect to z; the second one is that of a piece where it jumps.
struct LossSlope {
  double first = 0.0;
  double second = 0.0;
};

/// C l(y, z) for one sample with its conjugate; `a` is the signed dual variable. The Fenchel-Young
/// inequality C l(y, z) + (C l)*(-a) + a z >= 0 is what the certificate sums.
template <typename L>
concept IsSeparableLoss = requires(const L loss, double y, double z, double a, double C,
                                   ConstSpan v) {
  { loss.value(y, z, C) } -> std::convertible_to<double>;         ///< C l(y, z)
  { loss.dual_value(y, a, C) } -> std::convertible_to<double>;    ///< -(C l)*(-a), the gain in D
  { loss.dual_bounds(y, C) } -> std::convertible_to<DualBounds>;  ///< domain of a
  {
    loss.fenchel_young(y, z, a, C)
    } -> std::convertible_to<double>;                          ///< >= 0, without cancellation
  { loss.best_bias(v, v, v) } -> std::convertible_to<double>;  ///< argmin_b sum C_i l(y_i, z_i + b)
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

/// The loss says itself what its terms weigh: it has no C.
template <typename L>
concept HasOwnWeight = requires(const L loss, Index n) {
  { loss.weight(n) } -> std::convertible_to<double>;
};

/// The loss is its one number, `parameter` its name; `check_parameters` throws where it is out of
/// its range.
template <typename L>
concept HasParameters = requires(const L loss) {
  { L::parameter } -> std::convertible_to<const char*>;
  loss.check_parameters();
};

/// The loss sees samples through their distances D_m only. It is stated on the kernels shift - D_m,
/// which are positive semidefinite on vectors of sum 0 alone: functions f_m have no norm, and the
/// weights must sum to 1.
template <typename L>
concept OnDistances = requires {
  requires L::on_distances;
};

/// The loss is Lipschitz in z: what stochastic subgradients need.
template <typename L>
concept HasBoundedSlope = requires {
  requires L::bounded_slope;
};

template <IsSeparableLoss L>
[[nodiscard]] double sum_gain(const L& loss, ConstSpan y, ConstSpan a, ConstSpan C) {
  double gain = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) gain += loss.dual_value(y[i], a[i], C[i]);
  return gain;
}

/// The absolute values of the terms of sum_gain.
template <IsSeparableLoss L>
[[nodiscard]] double sum_gain_size(const L& loss, ConstSpan y, ConstSpan a, ConstSpan C) {
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double linear = a[i] * y[i];
    size += std::abs(linear) + std::abs(loss.dual_value(y[i], a[i], C[i]) - linear);
    if constexpr (!HasQuadraticDual<L>) size += C[i];  // of an entropy, whose terms are up to C
  }
  return size;
}

template <IsSeparableLoss L>
[[nodiscard]] LossPoint sum_at(const L& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a,
                               ConstSpan C) {
  LossPoint point;
  if (rule == Bias::free) point.bias = loss.best_bias(y, z, C);
  if (rule == Bias::penalised) {
    for (const double value : a) point.bias += value;
    point.value = 0.5 * point.bias * point.bias;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double decision = z[i] + point.bias;
    point.value += loss.value(y[i], decision, C[i]);
    point.gap += loss.fenchel_young(y[i], decision, a[i], C[i]);
  }
  point.size = point.value;  // no term is negative
  return point;
}

template <IsSeparableLoss L>
[[nodiscard]] DualSet separable_dual_set(const L& loss, Bias rule, ConstSpan y, ConstSpan C) {
  DualSet set{Vector(y.size()), Vector(y.size()), {}, {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const DualBounds bounds = loss.dual_bounds(y[i], C[i]);
    set.lower[i] = bounds.lower;
    set.upper[i] = bounds.upper;
  }
  if (rule == Bias::free) {
    set.block.assign(y.size(), 0);
    set.totals = {0.0};
  }
  return set;
}

}  // namespace kernmix
