#pragma once
/// \file
/// The quadratic model of J minimised over the non-negative part of an l_p ball.

#include "kernmix/regularizer/weight_model.hpp"

namespace kernmix {

/// Primal-dual interior point method for
///
///   min_x  -1/2 q'x + 1/2 |B'(x - d)|^2   s.t.  sum_m x_m^p <= 1,  x >= 0,     p >= 1,
///
/// to a relative accuracy of about 1e-9 in some twenty factorisations of size min(W, |F|). With
/// p = 1 the sum is held at 1, as the simplex asks, and entries that vanish are exact zeros.
/// Returns d where it finds no descent, which happens for p far above 10; there closed-form weights
/// converge so fast that no model is needed.
[[nodiscard]] Vector minimize_on_ball(const WeightModel& model, double p);

}  // namespace kernmix
