#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

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

/// The median of one value at least, the mean of the two in the middle where there are two. A value
/// of weight 2 counts as two equal values. \param weights > 0; {}: all 1
[[nodiscard]] inline double median_of(ConstSpan values, ConstSpan weights = {}) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  double total = 0.0;
  for (const std::size_t i : order) total += weights.empty() ? 1.0 : weights[i];
  double below = 0.0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    below += weights.empty() ? 1.0 : weights[order[k]];
    if (2.0 * below < total) continue;
    const bool between = 2.0 * below == total && k + 1 < order.size();
    return between ? std::midpoint(values[order[k]], values[order[k + 1]]) : values[order[k]];
  }
  return values[order.back()];  // rounding of the sums
}

}  // namespace kernmix
