#pragma once
/// \file
/// Bars with their names above them, for long names on narrow screens.

#include <optional>
#include <string>
#include <vector>

#include "svg.hpp"

namespace kernmix::report {

struct Bar {
  std::string name;
  double value = 0.0;  ///< >= 0
  std::string_view color;
  std::string text;                ///< of the value, at the end of the bar
  std::string note = {};           ///< on the right above the bar
  std::optional<double> low = {};  ///< of an interval; present together with `high`
  std::optional<double> high = {};
};

struct BarChart {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::string x_label;
  std::vector<Bar> bars;  ///< from top to bottom
  bool percent = true;    ///< the axis is in percent of 1
};

[[nodiscard]] std::string draw_bars(const BarChart& chart);

/// Parts of a whole, from left to right.
struct Part {
  std::string name;
  double share = 0.0;
  std::string_view color;
};

struct Stack {
  std::string name;
  std::vector<Part> parts;
  std::string empty;  ///< text if there are no parts
};

/// One bar of parts for each stack, all of one length. `keys` are the legend.
[[nodiscard]] std::string draw_stacks(const std::string& title, const std::string& description,
                                      const std::vector<Stack>& stacks,
                                      const std::vector<Part>& keys);

}  // namespace kernmix::report
