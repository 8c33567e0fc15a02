#pragma once
/// \file
/// A small SVG writer: shapes and text on a canvas, nothing that needs a script or a font file.

#include <string>
#include <string_view>
#include <vector>

namespace kernmix::report {

struct Point {
  double x = 0.0;
  double y = 0.0;
};

/// How a line is drawn: colours of Okabe and Ito (2008), which people with any colour vision can
/// tell apart, together with a dash pattern for print without colour.
struct Stroke {
  std::string_view color;
  std::string_view dash;  ///< SVG stroke-dasharray, empty for solid
};
[[nodiscard]] Stroke stroke(std::size_t index);  ///< repeats after eight

/// Appends elements in drawing order. Coordinates are in user units (pixels at natural size), y
/// downwards, written with two decimals.
class Svg {
 public:
  /// `title` and `description` are read aloud by screen readers.
  Svg(double width, double height, std::string_view title, std::string_view description);

  void line(Point from, Point to, std::string_view css_class);
  void polyline(const std::vector<Point>& points, const Stroke& stroke);
  void circle(Point center, double radius, std::string_view color);
  /// A circle that lets others shine through: of many at one place none is lost.
  void dot(Point center, double radius, std::string_view color);
  /// `tooltip`, where not empty, is shown when the pointer rests on the bar.
  void bar(Point corner, double width, double height, std::string_view color,
           std::string_view tooltip);
  /// `anchor`: "start", "middle" or "end"; `css_class`: "tick", "label", "name", "strong".
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

}  // namespace kernmix::report
