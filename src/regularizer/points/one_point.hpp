#pragma once
/// \file
/// Regularizers with fixed weights: D = {w}, w = initial_weights(M) of R.
///
///   Omega(s) = 1/2 sum_m s_m^2 / w_m (0/0 = 0)        sigma(q/2) = 1/2 sum_m w_m q_m

#include <numeric>

#include "regularizer/defaults.hpp"

namespace kernmix {

template <typename R>
struct OnePoint : Defaults<R> {
  static constexpr bool fixed_weights = true;

  [[nodiscard]] double omega(ConstSpan s) const {
    return weighted_norm(s, this->self().initial_weights(length(s)));
  }
  [[nodiscard]] double conjugate(ConstSpan q) const {
    const Vector w = this->self().initial_weights(length(q));
    return 0.5 * std::inner_product(q.begin(), q.end(), w.begin(), 0.0);
  }
};

}  // namespace kernmix
