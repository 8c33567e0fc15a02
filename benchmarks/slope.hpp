#pragma once
/// \file
/// How a cost grows with a size.

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "kernmix/types.hpp"

namespace kernmix {

/// The slope of the least squares line through (log x, log y), as text.
[[nodiscard]] inline std::string slope(const Vector& x, const Vector& y) {
  if (x.size() < 3) return "too few times";
  const auto count = static_cast<double>(x.size());
  double mean_x = 0.0;
  double mean_y = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    mean_x += std::log(x[i]) / count;
    mean_y += std::log(y[i]) / count;
  }
  double products = 0.0;
  double squares = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    products += (std::log(x[i]) - mean_x) * (std::log(y[i]) - mean_y);
    squares += (std::log(x[i]) - mean_x) * (std::log(x[i]) - mean_x);
  }
  return fmt::format("{:.2f}", products / squares);
}

}  // namespace kernmix
