#pragma once
/// \file
/// The frame of a chart: where its axes are, their grid, ticks and labels.

#include <string>

#include "axis.hpp"
#include "svg.hpp"

namespace kernmix::report {

/// The rectangle that the axes span, in user units.
struct Frame {
  double width = 370.0;
  double height = 230.0;
  double left = 62.0;
  double top = 34.0;
  [[nodiscard]] double right() const { return left + width; }
  [[nodiscard]] double bottom() const { return top + height; }
  /// Size of a figure around it, without a legend.
  [[nodiscard]] double figure_width() const { return right() + 16.0; }
  [[nodiscard]] double figure_height() const { return bottom() + 48.0; }
};

struct ChartText {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::string x_label;
  std::string y_label;
};

/// Grid, ticks, labels and title.
void draw_axes(Svg& svg, const ChartText& text, const Frame& frame, const Axis& x, const Axis& y);

/// A coloured square with a name, for a legend below the frame. \param row from 0
void draw_key(Svg& svg, const Frame& frame, std::size_t row, std::string_view color,
              const std::string& name);

}  // namespace kernmix::report
