#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/shape.hpp"
#include "base/text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// One column, contiguous: it is read several times.
Vector numbers_of(const Matrix& matrix, Index j) {
  Vector column(to_size(matrix.rows));
  for (Index i = 0; i < matrix.rows; ++i) column[to_size(i)] = matrix(i, j);
  return column;
}

double mean(const Vector& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

/// sqrt(mean (x - center)^2), relative to the largest deviation so that no square over- or
/// underflows.
double deviation(const Vector& x, double center) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value - center));
  if (largest == 0.0) return 0.0;
  double sum = 0.0;
  for (const double value : x) {
    const double relative = (value - center) / largest;
    sum += relative * relative;
  }
  return largest * std::sqrt(sum / static_cast<double>(x.size()));
}

}  // namespace

Scaling Scaling::fit(ScalingRule rule, const Matrix& training) {
  require_shape("the columns to scale", training);
  const auto columns = to_size(training.cols);
  Scaling scaling{rule, Vector(columns, 0.0), Vector(columns, 1.0)};
  if (rule == ScalingRule::none || training.rows == 0) return scaling;
  for (std::size_t j = 0; j < columns; ++j) {
    const Vector x = numbers_of(training, static_cast<Index>(j));
    const auto [least, most] = std::minmax_element(x.begin(), x.end());
    const double smallest = *least;
    const double largest = *most;
    const bool constant = smallest == largest;
    const bool standard = rule == ScalingRule::standard;
    scaling.offset[j] = standard && !constant ? mean(x) : smallest;
    if (constant) continue;
    scaling.divisor[j] = standard ? deviation(x, scaling.offset[j]) : largest - smallest;
    if (!std::isfinite(scaling.offset[j]) || !std::isfinite(scaling.divisor[j])) {
      throw DataError(
          fmt::format("column {}: values from {} to {} are too large to be scaled; write "
                      "them in a larger unit",
                      j + 1, smallest, largest));
    }
  }
  return scaling;
}

Matrix Scaling::apply(const Matrix& raw) const {
  require_shape("the columns to scale", raw);
  if (raw.cols != length(offset)) {
    throw ParameterError(fmt::format("the scaling was fitted on {} columns, the data has {}",
                                     offset.size(), raw.cols));
  }
  Matrix scaled = raw;
  if (rule == ScalingRule::none) return scaled;
  for (Index i = 0; i < raw.rows; ++i) {
    const MutableSpan row = scaled.row(i);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = (row[j] - offset[j]) / divisor[j];
  }
  return scaled;
}

ScalingRule parse_scaling(std::string_view text) {
  if (text == "none") return ScalingRule::none;
  if (text == "standard") return ScalingRule::standard;
  if (text == "minmax") return ScalingRule::minmax;
  throw ParameterError("scaling " + in_quotes(text) + " is not known" +
                       did_you_mean(text, {"none", "standard", "minmax"}) +
                       " (none, standard or minmax)");
}

std::string scaling_name(ScalingRule rule) {
  switch (rule) {
    case ScalingRule::none:
      return "none";
    case ScalingRule::standard:
      return "standard";
    case ScalingRule::minmax:
      return "minmax";
  }
  throw Error(ErrorKind::internal, "scaling rule out of range");
}

}  // namespace kernmix
