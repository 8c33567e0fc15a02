#pragma once
/// \file
/// Shared pieces of confidence intervals.

#include <cmath>
#include <string>

#include "base/mean.hpp"
#include "kernmix/metrics.hpp"
#include "metrics/weights.hpp"

namespace kernmix {

/// 97.5 % quantile of the normal distribution: two-sided intervals cover 95 %.
inline constexpr double normal_quantile = 1.959963984540054;

/// Of the mean of independent values: sum w^2 (x - mean)^2 / W^2, times n / (n - 1), with the
/// effective sample size n of the weights.
inline double standard_error(ConstSpan values, ConstSpan weights = {}) {
  const double mean = mean_of_values(values, weights);
  const double n = weights.empty() ? static_cast<double>(values.size()) : effective_size(weights);
  const double sum = weights.empty() ? n : std::accumulate(weights.begin(), weights.end(), 0.0);
  const double scale = n / sum;
  double squares = 0.0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    squares += squared(scale * weight_at(weights, i) * (values[i] - mean));
  }
  return std::sqrt(squares / (n - 1.0) / n);
}

struct Interval {
  double low;
  double high;
};

/// Wilson (1927) for a share p of n trials: centre (p + z^2/2n) / (1 + z^2/n), half width
/// z sqrt(p (1 - p) / n + z^2/4n^2) / (1 + z^2/n).
inline Interval wilson_interval(double p, double n, double z = normal_quantile) {
  const double z2 = z * z;
  const double centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
  const double half = z * std::sqrt(p * (1.0 - p) / n + z2 / (4.0 * n * n)) / (1.0 + z2 / n);
  return {p <= 0.0 ? 0.0 : centre - half, p >= 1.0 ? 1.0 : centre + half};
}

inline Metric with_wilson_interval(const std::string& name, double p, double n) {
  const Interval interval = wilson_interval(p, n);
  return {name, p, interval.low, interval.high};
}

/// part / whole; `squares` is the sum of the squared weights of the whole.
inline Metric weighted_proportion(const std::string& name, double part, double whole,
                                  double squares) {
  if (whole == 0.0) return {name, {}, {}, {}};
  return with_wilson_interval(name, part / whole, effective_size(whole, squares));
}

/// Effective number of trials of a proportion p whose estimate has this variance, p (1 - p) /
/// variance (Korn and Graubard 1998), from `samples` independent samples. Near 0 and 1 the estimate
/// of the variance depends on few samples, at 0 and 1 on none. Therefore one extreme observation is
/// added, which makes the number of trials equal to the number of samples if the variance is 0.
inline double effective_trials(double p, double variance, double samples) {
  return (p * (1.0 - p) + 1.0 / samples) / (variance + 1.0 / (samples * samples));
}

/// value > 0 with a normal interval on the log scale, log(value) +- z error / value; none if value
/// or error is 0.
inline Metric with_log_interval(const std::string& name, double value, double error) {
  if (!(value > 0.0 && error > 0.0 && std::isfinite(error / value))) return {name, value, {}, {}};
  const double factor = std::exp(normal_quantile * error / value);
  return {name, value, value / factor, value * factor};
}

}  // namespace kernmix
