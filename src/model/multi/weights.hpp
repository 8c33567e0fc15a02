#pragma once

#include <cmath>

#include "model/model_basis.hpp"

namespace kernmix {

/// Mean weights over the tasks, and the norms of all their functions together.
/// \param weights  1 x M or tasks x M;  \param norms  tasks x M
[[nodiscard]] inline WeightedKernels over_tasks(const Matrix& weights, const Matrix& norms) {
  const auto M = static_cast<std::size_t>(weights.cols);
  WeightedKernels result{Vector(M, 0.0), Vector(M, 0.0)};
  for (std::size_t m = 0; m < M; ++m) {
    const auto at = static_cast<Index>(m);
    for (Index k = 0; k < weights.rows; ++k) result.weights[m] += weights(k, at);
    result.weights[m] /= static_cast<double>(weights.rows);
    for (Index k = 0; k < norms.rows; ++k) {
      result.norms[m] = std::hypot(result.norms[m], norms(k, at));
    }
  }
  return result;
}

}  // namespace kernmix
