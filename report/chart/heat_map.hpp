#pragma once
/// \file
/// A table of values as colours.

#include <functional>
#include <string>
#include <vector>

namespace kernmix::report {

struct HeatMap {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::vector<std::vector<double>> shade;  ///< rows x columns, 0 (white) to 1 (dark)
  /// The tooltip of a cell, which wide cells always show.
  std::function<std::string(std::size_t row, std::size_t column)> text;
  bool show_text = false;
  int longest_row = 20;  ///< characters of the longest row name
};

/// An <svg> with a cell for each value: row names on the left, column names below.
[[nodiscard]] std::string draw_heat_map(const HeatMap& map);

}  // namespace kernmix::report
