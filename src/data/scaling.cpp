#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/mean.hpp"
#include "base/names.hpp"
#include "base/samples.hpp"
#include "base/shape.hpp"
#include "base/text.hpp"
#include "kernmix/data.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// sqrt(mean (x - center)^2), relative to the largest deviation so that no square over- or
/// underflows.
double deviation(ConstSpan x, double center) {
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

constexpr Named<ScalingRule> scaling_names[] = {{ScalingRule::none, "none"},
                                                {ScalingRule::standard, "standard"},
                                                {ScalingRule::minmax, "minmax"}};

}  // namespace

Scaling Scaling::fit(ScalingRule rule, const ConstMatrix& training) {
  require_shape("the columns to scale", training);
  Scaling scaling{rule, {}, {}};
  for (Index j = 0; j < training.cols; ++j) scaling.add_column(column_of(training, j));
  return scaling;
}

void Scaling::add_column(ConstSpan x) {
  offset.push_back(0.0);
  divisor.push_back(1.0);
  if (rule == ScalingRule::none || x.empty()) return;
  const auto [least, most] = std::ranges::minmax(x);
  const bool constant = least == most;
  const bool standard = rule == ScalingRule::standard;
  offset.back() = standard && !constant ? mean_of_values(x) : least;
  if (constant) return;
  divisor.back() = standard ? deviation(x, offset.back()) : most - least;
  if (!std::isfinite(offset.back()) || !std::isfinite(divisor.back())) {
    throw DataError(
        fmt::format("column {}: values from {} to {} are too large to be scaled; write them in a "
                    "larger unit",
                    offset.size(), least, most));
  }
}

Matrix Scaling::apply(const ConstMatrix& raw) const {
  require_shape("the columns to scale", raw);
  if (raw.cols != length(offset)) {
    throw ParameterError(fmt::format("the scaling was fitted on {} columns, the data has {}",
                                     offset.size(), raw.cols));
  }
  Matrix scaled(raw.rows, raw.cols);
  for (Index i = 0; i < raw.rows; ++i) {
    const ConstSpan x = raw.row(i);
    const MutableSpan row = scaled.row(i);
    for (Index j = 0; j < raw.cols; ++j) row[to_size(j)] = at(j, x[to_size(j)]);
  }
  return scaled;
}

ScalingRule parse_scaling(std::string_view text) {
  if (const auto rule = find_in(scaling_names, text)) return *rule;
  throw ParameterError("scaling " + in_quotes(text) + " is not known" +
                       did_you_mean(text, {"none", "standard", "minmax"}) +
                       " (none, standard or minmax)");
}

std::string scaling_name(ScalingRule rule) { return name_in(scaling_names, rule); }

}  // namespace kernmix
