#pragma once
/// \file
/// Axes: from values to positions, with ticks at round numbers.

#include <string>
#include <vector>

namespace kernmix::report {

struct Tick {
  double value;
  std::string label;
};

/// A linear or logarithmic scale from values [low, high] to positions [from, to].
class Axis {
 public:
  /// The smallest round range around all finite (for log: positive) `values`.
  /// Ticks of a linear axis are at least `least_step` apart (1 for counts).
  static Axis linear(const std::vector<double>& values, double from, double to,
                     double least_step = 0.0);
  static Axis logarithmic(const std::vector<double>& values, double from, double to);
  /// Exactly [low, high].
  static Axis fixed(double low, double high, double from, double to);

  /// Position of a value; values outside the range are clamped to its ends.
  [[nodiscard]] double operator()(double value) const;
  [[nodiscard]] const std::vector<Tick>& ticks() const { return ticks_; }
  [[nodiscard]] bool is_logarithmic() const { return logarithmic_; }

 private:
  double low_ = 0.0;
  double high_ = 1.0;
  double from_ = 0.0;
  double to_ = 1.0;
  bool logarithmic_ = false;
  std::vector<Tick> ticks_;
};

}  // namespace kernmix::report
