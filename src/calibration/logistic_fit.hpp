#pragma once
/// \file
/// Logistic regression on a few features with slopes >= 0:
///
///     min sum_i w_i (log(1 + exp(z_i)) - t_i z_i),   z_i = slopes' x_i + intercept,   slopes >= 0

#include "kernmix/types.hpp"

namespace kernmix {

struct LogisticFit {
  Vector slopes;  ///< one for each feature
  double intercept = 0.0;
};

/// \param features  n x k, k <= 2;  \param target  in (0, 1);  \param weights  > 0, or none
[[nodiscard]] LogisticFit fit_logistic(const Matrix& features, ConstSpan target, ConstSpan weights);

/// log(1 + exp(z)) without overflow.
[[nodiscard]] double softplus(double z);
/// 1 / (1 + exp(-z)) without overflow.
[[nodiscard]] double sigmoid(double z);

}  // namespace kernmix
