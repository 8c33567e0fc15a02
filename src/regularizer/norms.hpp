#pragma once
/// \file
/// Small vector helpers that several regularizers share.

#include <limits>

#include "base/roots/root.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless M >= 1
void require_kernels(Index M);

/// 1/M each.
[[nodiscard]] Vector even_weights(Index M);

[[nodiscard]] double sum_of_squares(ConstSpan x);

/// (sum x_m^r)^{1/r} for x >= 0, r > 0, scaled by the largest entry so that nothing overflows.
[[nodiscard]] double power_norm(ConstSpan x, double r);

/// max_m x_m, 0 for an empty vector.
[[nodiscard]] double largest(ConstSpan x);

/// 1/2 sum s_m^2 / d_m with 0/0 = 0.
[[nodiscard]] double weighted_norm(ConstSpan s, ConstSpan d);

/// Clips all entries to [low, high].
void clip(MutableSpan x, double low, double high = std::numeric_limits<double>::infinity());

/// Euclidean projection onto {x >= 0, c(x) <= 1} in place: shrink(lambda, z, x) sets x to the
/// minimiser of 1/2 |x - z|^2 + lambda c(x) over x >= 0 for z >= 0, excess(x) = c(x) - 1, and for
/// lambda = highest(z) there is none.
template <typename Shrink, typename Excess, typename Highest>
void project_by_multiplier(MutableSpan x, Shrink shrink, Excess excess, Highest highest) {
  clip(x, 0.0);
  if (excess(x) <= 0.0) return;
  const Vector z(x.begin(), x.end());
  shrink(decreasing_root(0.0, highest(ConstSpan(z)),
                         [&](double lambda) {
                           shrink(lambda, ConstSpan(z), x);
                           return excess(x);
                         }),
         ConstSpan(z), x);
}

}  // namespace kernmix
