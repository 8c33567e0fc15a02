#pragma once

#include <cmath>
#include <numeric>

#include "kernmix/types.hpp"

namespace kernmix {

/// Of one value at least.
[[nodiscard]] inline double mean_of_values(ConstSpan values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of those that are numbers; NaN where none is.
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
