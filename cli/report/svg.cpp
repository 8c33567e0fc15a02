#include "svg.hpp"

#include <fmt/format.h>

#include <array>

#include "text.hpp"

namespace kernmix::report {

namespace {

std::string path(const std::vector<Point>& points) {
  std::string out;
  for (const Point& p : points)
    out += fmt::format("{}{:.2f},{:.2f}", out.empty() ? "" : " ", p.x, p.y);
  return out;
}

}  // namespace

Stroke stroke(std::size_t index) {
  constexpr std::array<Stroke, 8> strokes = {{{"#0072B2", ""},
                                              {"#D55E00", "7 3"},
                                              {"#009E73", "2 3"},
                                              {"#CC79A7", "9 3 2 3"},
                                              {"#E69F00", ""},
                                              {"#56B4E9", "7 3"},
                                              {"#000000", "2 3"},
                                              {"#7F7F7F", "9 3 2 3"}}};
  return strokes[index % strokes.size()];
}

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : head_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
          "width=\"{0:.0f}\" height=\"{1:.0f}\">\n<title>{2}</title>\n<desc>{3}</desc>\n",
          width, height, escape(title), escape(description))) {}

void Svg::line(Point from, Point to, std::string_view css_class) {
  body_ +=
      fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" class=\"{}\"/>\n",
                  from.x, from.y, to.x, to.y, css_class);
}

void Svg::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  const std::string dash =
      stroke.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
  body_ += fmt::format("<polyline points=\"{}\" class=\"series\" stroke=\"{}\"{}/>\n", path(points),
                       stroke.color, dash);
}

void Svg::circle(Point center, double radius, std::string_view color) {
  body_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\"/>\n", center.x,
                       center.y, radius, color);
}

void Svg::dot(Point center, double radius, std::string_view color) {
  body_ += fmt::format(
      "<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" fill=\"{}\" fill-opacity=\"0.45\"/>\n",
      center.x, center.y, radius, color);
}

void Svg::bar(Point corner, double width, double height, std::string_view color,
              std::string_view tooltip) {
  const std::string title =
      tooltip.empty() ? "/>" : fmt::format("><title>{}</title></rect>", escape(tooltip));
  body_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}\n",
      corner.x, corner.y, width, height, color, title);
}

void Svg::text(Point position, std::string_view content, std::string_view anchor,
               std::string_view css_class) {
  body_ +=
      fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n",
                  position.x, position.y, anchor, css_class, escape(content));
}

void Svg::vertical_text(Point position, std::string_view content, std::string_view css_class) {
  upright_text(position, content, "middle", css_class);
}

void Svg::hanging_text(Point position, std::string_view content, std::string_view css_class) {
  upright_text(position, content, "end", css_class);
}

void Svg::upright_text(Point position, std::string_view content, std::string_view anchor,
                       std::string_view css_class) {
  body_ += fmt::format(
      "<text transform=\"translate({:.2f} {:.2f}) rotate(-90)\" text-anchor=\"{}\" "
      "class=\"{}\">{}</text>\n",
      position.x, position.y, anchor, css_class, escape(content));
}

std::string Svg::finish() const { return head_ + body_ + "</svg>\n"; }

}  // namespace kernmix::report
