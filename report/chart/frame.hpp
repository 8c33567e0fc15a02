#pragma once
/// \file
/// The frame of a chart: where its axes are, their grid, ticks and labels.

#include <string>

#include "axis.hpp"
#include "svg.hpp"

namespace kernmix::report {

/// The width of charts, which fits phones; only maps with many columns are wider.
inline constexpr double chart_width = 440.0;

/// The rectangle that the axes span, in user units.
struct Frame {
  double height = 220.0;
  double left = 56.0;
  double top = 34.0;
  double margin = 14.0;  ///< on the right
  [[nodiscard]] double right() const { return chart_width - margin; }
  [[nodiscard]] double width() const { return right() - left; }
  [[nodiscard]] double bottom() const { return top + height; }
  /// Height of a figure around it, without a legend.
  [[nodiscard]] double figure_height() const { return bottom() + 48.0; }
  /// Adds margins for the longest label of the vertical axis and half of the last label of the
  /// horizontal axis.
  void fit(const Axis& y, const Axis& x);
};

struct ChartText {
  std::string title;
  std::string description;  ///< for screen readers: what the figure shows
  std::string x_label;
  std::string y_label;
};

/// Grid, ticks, labels and title.
void draw_axes(Svg& svg, const ChartText& text, const Frame& frame, const Axis& x, const Axis& y);

inline constexpr int longest_key = 52;  ///< characters

/// A coloured square with a name, for a legend below the frame. \param row from 0
void draw_key(Svg& svg, const Frame& frame, std::size_t row, std::string_view color,
              const std::string& name);

}  // namespace kernmix::report
