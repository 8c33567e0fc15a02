#pragma once

#include <cmath>
#include <numeric>

#include "kernmix/types.hpp"

namespace kernmix {

/// Sum of at least one value, in eight parts that are added in order: Eigen's sums depend on the
/// alignment of the values.
[[nodiscard]] inline double sum_in_order(ConstSpan values) {
  constexpr std::size_t parts = 8;
  double sums[parts] = {};
  const std::size_t whole = values.size() / parts * parts;
  for (std::size_t i = 0; i < whole; i += parts) {
    for (std::size_t k = 0; k < parts; ++k) sums[k] += values[i + k];
  }
  double sum = 0.0;
  for (const double part : sums) sum += part;
  for (std::size_t i = whole; i < values.size(); ++i) sum += values[i];
  return sum;
}

/// Of one value at least.
[[nodiscard]] inline double mean_of_values(ConstSpan values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Weighted mean; without weights the plain mean.
[[nodiscard]] inline double mean_of_values(ConstSpan values, ConstSpan weights) {
  if (weights.empty()) return mean_of_values(values);
  return std::inner_product(values.begin(), values.end(), weights.begin(), 0.0) /
         std::accumulate(weights.begin(), weights.end(), 0.0);
}

/// Mean of the values that are not NaN; NaN without any.
[[nodiscard]] inline double mean_of_known(ConstSpan values) {
  double sum = 0.0;
  double count = 0.0;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    sum += value;
    count += 1.0;
  }
  return sum / count;
}

}  // namespace kernmix
