#pragma once
/// \file
/// The minimum of a convex function of one number: an oracle that knows nothing but values.

#include <algorithm>
#include <utility>

namespace kernmix::testing {

/// min f over [low, high] by golden section; each of the steps leaves 0.62 of the interval, forty
/// 4e-9 of it.
template <typename F>
double line_minimum(const F& f, double low, double high, int steps = 40) {
  constexpr double golden = 0.6180339887498949;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double at_left = f(left);
  double at_right = f(right);
  for (int k = 0; k < steps; ++k) {
    if (at_left <= at_right) {
      high = std::exchange(right, left);
      left = high - golden * (high - low);
      at_right = std::exchange(at_left, f(left));
    } else {
      low = std::exchange(left, right);
      right = low + golden * (high - low);
      at_left = std::exchange(at_right, f(right));
    }
  }
  return std::min(at_left, at_right);
}

}  // namespace kernmix::testing
