#pragma once
/// \file
/// A line chart with axes, grid and legend.

#include <string>
#include <vector>

#include "svg.hpp"

namespace kernmix::report {

struct Series {
  std::string name;
  std::vector<Point> points;  ///< values, not positions; points that are not finite are left out
};

struct LineChart {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
  bool log_y = false;        ///< values <= 0 are left out
  bool unit_square = false;  ///< both axes 0..1 with the diagonal drawn, as for a ROC
  bool count_x = false;      ///< x counts something: whole ticks
  bool markers = false;      ///< a dot at each point
  double reference = 0.0;    ///< a horizontal line at this value where > 0
  std::string reference_label;
};

/// The chart as an <svg> element; a sentence instead where no series has a point.
[[nodiscard]] std::string draw(const LineChart& chart);

}  // namespace kernmix::report
