#pragma once
/// \file
/// Shared pieces of confidence intervals.

#include <cmath>
#include <numeric>
#include <string>

#include "kernmix/selection/metrics.hpp"

namespace kernmix {

/// 97.5 % quantile of the normal distribution: two-sided intervals cover 95 %.
inline constexpr double normal_quantile = 1.959963984540054;

inline double mean_of_values(ConstSpan values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Of the mean of independent values.
inline double standard_error(ConstSpan values) {
  const double mean = mean_of_values(values);
  const auto n = static_cast<double>(values.size());
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / (n - 1.0) / n);
}

/// value with a normal interval on the logit scale, log(p / (1 - p)) +- z error; none at 0 and 1.
inline Metric with_logit_interval(const char* name, double value, double logit_error) {
  if (value <= 0.0 || value >= 1.0 || !std::isfinite(logit_error)) return {name, value, {}, {}};
  const double logit = std::log(value / (1.0 - value));
  const double half = normal_quantile * logit_error;
  return {name, value, 1.0 / (1.0 + std::exp(half - logit)), 1.0 / (1.0 + std::exp(-half - logit))};
}

/// value > 0 with a normal interval on the log scale, log(value) +- z error / value; none where
/// value or error is 0.
inline Metric with_log_interval(const std::string& name, double value, double error) {
  if (!(value > 0.0 && error > 0.0 && std::isfinite(error / value))) return {name, value, {}, {}};
  const double factor = std::exp(normal_quantile * error / value);
  return {name, value, value / factor, value * factor};
}

}  // namespace kernmix
