#pragma once
/// \file
/// How often samples count: by weights, or once where there are none.

#include <numeric>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// How often sample i counts.
[[nodiscard]] inline double weight_at(ConstSpan weights, std::size_t i) {
  return weights.empty() ? 1.0 : weights[i];
}

/// How often some samples count together.
[[nodiscard]] inline double weight_of(const std::vector<Index>& samples, ConstSpan weights) {
  double sum = 0.0;
  for (const Index i : samples) sum += weight_at(weights, to_size(i));
  return sum;
}

/// As many independent samples as weights with this sum and this sum of squares are worth (Kish
/// 1965).
[[nodiscard]] inline double effective_size(double sum, double squares) {
  return sum * sum / squares;
}

[[nodiscard]] inline double effective_size(ConstSpan weights) {
  return effective_size(std::accumulate(weights.begin(), weights.end(), 0.0),
                        std::inner_product(weights.begin(), weights.end(), weights.begin(), 0.0));
}

}  // namespace kernmix
