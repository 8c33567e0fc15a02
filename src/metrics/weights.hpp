#pragma once
/// \file
/// Sample weights of metrics.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/samples.hpp"
#include "kernmix/error.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError as kernmix/metrics.hpp says
inline void require_weights(ConstSpan weights, std::size_t samples) {
  if (weights.empty()) return;
  if (weights.size() != samples) {
    throw ParameterError(
        fmt::format("evaluation needs one weight for each sample, got {} weights of {} samples",
                    weights.size(), samples));
  }
  const auto wrong = std::ranges::find_if_not(
      weights, [](double weight) { return std::isfinite(weight) && weight > 0.0; });
  if (wrong == weights.end()) return;
  throw ParameterError(
      fmt::format("weight {} must be a number > 0, got {}; leave samples of weight 0 out",
                  wrong - weights.begin() + 1, *wrong));
}

inline double squared(double value) { return value * value; }

}  // namespace kernmix
