#pragma once
/// \file
/// A small SVG writer: shapes and text without scripts, style sheets or font files. Every element
/// has its own appearance, so that a figure looks the same outside its page; its class lets the
/// page change colours in dark mode.

#include <string>
#include <string_view>
#include <vector>

#include "palette.hpp"

namespace kernmix::report {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// Appends elements in drawing order. Coordinates are in user units (pixels at natural size), y
/// downwards, written with two decimals.
class Svg {
 public:
  /// `title` and `description` are read aloud by screen readers.
  Svg(double width, double height, std::string_view title, std::string_view description);

  /// `css_class`: "grid", "axis", "reference" or "whisker".
  void line(Point from, Point to, std::string_view css_class);
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  /// A pale area, for example for intervals.
  void area(const std::vector<Point>& outline, std::string_view color);
  void circle(Point center, double radius, std::string_view color);
  /// A transparent circle, so that overlapping circles stay visible.
  void dot(Point center, double radius, std::string_view color);
  /// `tooltip`, where not empty, is the tooltip of the bar.
  void bar(Point corner, double width, double height, std::string_view color,
           std::string_view tooltip, double opacity = 1.0);
  /// `anchor`: "start", "middle" or "end"; `css_class`: "tick", "label", "name", "strong",
  /// "on-fill" (on the colour of a view), "on-light" and "on-dark" (of a heat map).
  void text(Point position, std::string_view content, std::string_view anchor,
            std::string_view css_class);
  /// Text that reads upwards, centred on `position`.
  void vertical_text(Point position, std::string_view content, std::string_view css_class);
  /// Text that reads upwards and ends at `position`.
  void hanging_text(Point position, std::string_view content, std::string_view css_class);

  [[nodiscard]] std::string finish() const;  ///< the whole <svg> element

 private:
  void upright_text(Point position, std::string_view content, std::string_view anchor,
                    std::string_view css_class);

  std::string head_;
  std::string body_;
};

/// Upper bound on the width of text of 11 to 12 pixels in any font.
[[nodiscard]] double text_width(std::string_view text);

}  // namespace kernmix::report
