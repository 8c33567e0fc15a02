#pragma once
/// \file
/// Tests whether J is close to piecewise linear, so that a second order model is accurate only in a
/// small region.

#include <algorithm>

#include "weights/point.hpp"

namespace kernmix {

/// Whether less than one in `share` of the samples with a_i != 0 is free. The others are at a
/// bound.
[[nodiscard]] inline bool few_free(const Point& point, double share) {
  const auto support = std::ranges::count_if(point.a, [](double a) { return a != 0.0; });
  return share * static_cast<double>(length(point.free)) < static_cast<double>(support);
}
[[nodiscard]] inline bool hardly_free(const Point& point) { return few_free(point, 10); }

}  // namespace kernmix
