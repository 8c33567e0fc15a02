#pragma once
/// \file
/// Golden section search.

#include <limits>

namespace kernmix {

/// Searches for the minimum on [low, high] with one evaluation a step, while goes_on(width of the
/// bracket) is true. The caller's `value_at(x)` records the best point.
template <typename Function, typename GoesOn>
void golden_section_search(double low, double high, const Function& value_at,
                           const GoesOn& goes_on) {
  constexpr double golden = 0.6180339887498949;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = value_at(left);
  double at_right = goes_on(high - low) ? value_at(right) : at_left;
  while (goes_on(high - low)) {
    if (at_left <= at_right) {
      high = right;
      right = left;
      at_right = at_left;
      left = high - golden * (high - low);
      at_left = value_at(left);
    } else {
      low = left;
      left = right;
      at_left = at_right;
      right = low + golden * (high - low);
      at_right = value_at(right);
    }
  }
}

/// The largest value found, and its argument.
struct LargestValue {
  double at;
  double value;
};

/// max f over [low, high] for a concave f, until the bracket is no wider than `width`. f may be
/// -infinity on a part of the interval without the maximum.
template <typename Function>
[[nodiscard]] LargestValue largest_on(double low, double high, double width, const Function& f) {
  LargestValue best{low, -std::numeric_limits<double>::infinity()};
  const auto value_at = [&](double x) {
    const double value = f(x);
    if (value > best.value) best = {x, value};
    return -value;
  };
  golden_section_search(low, high, value_at, [&](double open) { return open > width; });
  return best;
}

}  // namespace kernmix
