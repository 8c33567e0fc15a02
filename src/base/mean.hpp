#pragma once

#include <numeric>

#include "kernmix/types.hpp"

namespace kernmix {

/// Of one value at least.
[[nodiscard]] inline double mean_of_values(ConstSpan values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace kernmix
