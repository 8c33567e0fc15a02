#include "svg.hpp"

#include <fmt/format.h>

#include <array>

#include "report/text.hpp"

namespace kernmix::report {

namespace {

std::string path(const std::vector<Point>& points) {
  std::string out;
  for (const Point& p : points)
    out += fmt::format("{}{:.2f},{:.2f}", out.empty() ? "" : " ", p.x, p.y);
  return out;
}

struct Look {
  std::string_view css_class;
  std::string_view attributes;
};

/// The default appearance of elements of a class.
constexpr std::array<Look, 11> looks = {{
    {"tick", R"(fill="#5B6570" font-size="11")"},
    {"label", R"(fill="#1B1F24" font-size="12")"},
    {"name", R"(fill="#1B1F24" font-size="12")"},
    {"strong", R"(fill="#1B1F24" font-size="13" font-weight="600")"},
    {"on-fill", R"(fill="#000" font-size="11")"},
    {"on-light", R"(fill="#1B1F24" font-size="11")"},
    {"on-dark", R"(fill="#FFF" font-size="11")"},
    {"grid", R"(stroke="#E1E5EA" stroke-width="1")"},
    {"axis", R"(stroke="#1B1F24" stroke-width="1")"},
    {"reference", R"(stroke="#7F8790" stroke-width="1" stroke-dasharray="4 3")"},
    {"whisker", R"(stroke="#1B1F24" stroke-width="1.5")"},
}};

/// The attributes of an element of this class.
std::string look(std::string_view css_class) {
  for (const Look& known : looks) {
    if (known.css_class == css_class) {
      return fmt::format("class=\"{}\" {}", css_class, known.attributes);
    }
  }
  return fmt::format("class=\"{}\"", css_class);
}

}  // namespace

Svg::Svg(double width, double height, std::string_view title, std::string_view description)
    : head_(fmt::format(
          "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
          "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"system-ui, 'Segoe UI', 'Helvetica "
          "Neue', Arial, "
          "'Liberation Sans', sans-serif\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
          "<rect class=\"paper\" width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#FFF\"/>\n",
          width, height, escape(title), escape(description))) {}

void Svg::line(Point from, Point to, std::string_view css_class) {
  body_ += fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n",
                       from.x, from.y, to.x, to.y, look(css_class));
}

void Svg::polyline(const std::vector<Point>& points, const Stroke& stroke) {
  const std::string dash =
      stroke.dash.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", stroke.dash);
  body_ += fmt::format(
      "<polyline points=\"{}\" class=\"series\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" "
      "stroke-linejoin=\"round\"{}/>\n",
      path(points), stroke.color, stroke.width, dash);
}

void Svg::area(const std::vector<Point>& outline, std::string_view color) {
  body_ +=
      fmt::format("<polygon points=\"{}\" class=\"band\" fill=\"{}\" fill-opacity=\"0.16\"/>\n",
                  path(outline), color);
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
              std::string_view tooltip, double opacity) {
  const std::string title =
      tooltip.empty() ? "/>" : fmt::format("><title>{}</title></rect>", escape(tooltip));
  const std::string shine =
      opacity < 1.0 ? fmt::format(" fill-opacity=\"{:.3f}\"", opacity) : std::string();
  body_ += fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"{}{}\n",
      corner.x, corner.y, width, height, color, shine, title);
}

void Svg::text(Point position, std::string_view content, std::string_view anchor,
               std::string_view css_class) {
  body_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" text-anchor=\"{}\" {}>{}</text>\n",
                       position.x, position.y, anchor, look(css_class), escape(content));
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
      "{}>{}</text>\n",
      position.x, position.y, anchor, look(css_class), escape(content));
}

double text_width(std::string_view text) {
  double points = 0.0;
  for (const char c : text) points += (static_cast<unsigned char>(c) & 0xC0U) == 0x80U ? 0.0 : 1.0;
  return 7.0 * points;
}

std::string Svg::finish() const { return head_ + body_ + "</svg>\n"; }

}  // namespace kernmix::report
