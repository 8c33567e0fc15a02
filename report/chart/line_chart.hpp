#pragma once
/// \file
/// A line chart with axes, grid and legend.

#include <optional>
#include <string>
#include <vector>

#include "svg.hpp"

namespace kernmix::report {

/// Values, not positions; nonfinite points are omitted.
struct Series {
  std::string name;
  std::vector<Point> points;
  Stroke stroke;
  std::vector<Point> band = {};  ///< outline of an area around the line; may be empty
};

struct LineChart {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  bool log_x = false;   ///< values <= 0 are left out
  bool log_y = false;   ///< values <= 0 are left out
  double square = 0.0;  ///< > 0 for a ROC: x from 0 to it, y from 1 minus it to 1
  bool diagonal = false;
  bool legend = true;
  bool count_x = false;  ///< x counts something: whole ticks
  bool markers = false;  ///< a dot at each point
  std::optional<Point> large_dot = {};
  double reference = 0.0;  ///< a horizontal line at this value if > 0
  std::string reference_label;
};

/// The chart as an <svg> element; with a sentence if no series has a point.
[[nodiscard]] std::string draw(const LineChart& chart);

/// The points of all series: `x_name`, `y_name` and the names of several series.
[[nodiscard]] std::string points_csv(const LineChart& chart);

}  // namespace kernmix::report
