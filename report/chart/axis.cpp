#include "axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernmix::report {

namespace {

/// The smallest number of the form 1, 2 or 5 times a power of ten that is >= `raw` > 0.
double round_step(double raw) {
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * (1.0 - 1e-9)) return factor * power;
  }
  return 10.0 * power;
}

std::vector<Tick> linear_ticks(double low, double high, double step) {
  std::vector<Tick> ticks;
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 12);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k += 1.0) {
    const double value = k * step;
    const bool plain = std::abs(high) < 1e6;
    ticks.push_back({value, plain ? fmt::format("{:.{}f}", value + 0.0, decimals)
                                  : fmt::format("{:g}", value)});
  }
  return ticks;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Range range_of(const std::vector<double>& values, bool positive_only) {
  Range range;
  for (const double v : values) {
    if (!std::isfinite(v) || (positive_only && v <= 0.0)) continue;
    range.low = std::min(range.low, v);
    range.high = std::max(range.high, v);
  }
  if (range.low > range.high) range = {positive_only ? 0.1 : 0.0, 1.0};
  return range;
}

std::string power_label(int exponent) {
  if (exponent >= -2 && exponent <= 3) return fmt::format("{:g}", std::pow(10.0, exponent));
  return fmt::format("1e{}", exponent);
}

}  // namespace

Axis Axis::linear(const std::vector<double>& values, double from, double to, double least_step) {
  Range range = range_of(values, false);
  if (range.high - range.low < 1e-12 * std::max(1.0, std::abs(range.high))) {
    const double pad = range.high == 0.0 ? 1.0 : 0.05 * std::abs(range.high);
    range = {range.low - pad, range.high + pad};
  }
  const double step = std::max(least_step, round_step((range.high - range.low) / 5.0));
  Axis axis = fixed(step * std::floor(range.low / step + 1e-9),
                    step * std::ceil(range.high / step - 1e-9), from, to);
  axis.ticks_ = linear_ticks(axis.low_, axis.high_, step);
  return axis;
}

Axis Axis::fixed(double low, double high, double from, double to) {
  Axis axis;
  axis.low_ = low;
  axis.high_ = high;
  axis.from_ = from;
  axis.to_ = to;
  axis.ticks_ = linear_ticks(low, high, round_step((high - low) / 5.0));
  return axis;
}

Axis Axis::logarithmic(const std::vector<double>& values, double from, double to) {
  const Range range = range_of(values, true);
  int first = static_cast<int>(std::floor(std::log10(range.low) + 1e-9));
  int last = static_cast<int>(std::ceil(std::log10(range.high) - 1e-9));
  if (last <= first) last = first + 1;
  Axis axis;
  axis.logarithmic_ = true;
  axis.low_ = first;
  axis.high_ = last;
  axis.from_ = from;
  axis.to_ = to;
  const int stride = (last - first + 7) / 8;
  for (int e = first; e <= last; e += stride) {
    axis.ticks_.push_back({std::pow(10.0, e), power_label(e)});
  }
  return axis;
}

double Axis::operator()(double value) const {
  const double tiny = std::numeric_limits<double>::min();
  const double v = logarithmic_ ? std::log10(std::max(value, tiny)) : value;
  const double share = std::clamp((v - low_) / (high_ - low_), 0.0, 1.0);
  return from_ + share * (to_ - from_);
}

}  // namespace kernmix::report
