#pragma once
/// \file
/// Functions common to losses that are a sum over samples.

#include <cmath>

#include "loss/bias_search.hpp"

namespace kernmix {

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
    if constexpr (requires { L::entropic; }) size += C[i];
  }
  return size;
}

template <IsSeparableLoss L>
[[nodiscard]] LossPoint sum_at(const L& loss, Bias rule, ConstSpan y, ConstSpan z, ConstSpan a,
                               ConstSpan C) {
  LossPoint point;
  double bias = 0.0;
  if (rule == Bias::free) bias = best_bias(loss, y, z, C);
  if (rule == Bias::penalised) {
    for (const double value : a) bias += value;
    point.value = 0.5 * bias * bias;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double decision = z[i] + bias;
    point.value += loss.value(y[i], decision, C[i]);
    point.gap += loss.fenchel_young(y[i], decision, a[i], C[i]);
  }
  point.bias = {bias};
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
