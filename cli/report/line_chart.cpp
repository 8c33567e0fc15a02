#include "line_chart.hpp"

#include <algorithm>
#include <cmath>

#include "axis.hpp"
#include "frame.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

bool is_drawable(const Point& p, bool log_y) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (!log_y || p.y > 0.0);
}

bool is_square(const LineChart& chart) { return chart.square > 0.0; }

std::vector<double> coordinates(const LineChart& chart, double Point::*coordinate) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const Point& p : series.points) {
      if (is_drawable(p, chart.log_y)) values.push_back(p.*coordinate);
    }
  }
  return values;
}

Axis y_axis(const LineChart& chart, const Frame& frame) {
  if (is_square(chart)) return Axis::fixed(1.0 - chart.square, 1.0, frame.bottom(), frame.top);
  std::vector<double> values = coordinates(chart, &Point::y);
  if (chart.reference > 0.0) values.push_back(chart.reference);
  return chart.log_y ? Axis::logarithmic(values, frame.bottom(), frame.top)
                     : Axis::linear(values, frame.bottom(), frame.top);
}

Axis x_axis(const LineChart& chart, const Frame& frame) {
  if (is_square(chart)) return Axis::fixed(0.0, chart.square, frame.left, frame.right());
  std::vector<double> values = coordinates(chart, &Point::x);
  values.push_back(0.0);
  return Axis::linear(values, frame.left, frame.right(), chart.count_x ? 1.0 : 0.0);
}

void draw_series(Svg& svg, const LineChart& chart, const Axis& x, const Axis& y) {
  for (std::size_t k = 0; k < chart.series.size(); ++k) {
    std::vector<Point> positions;
    for (const Point& p : chart.series[k].points) {
      if (is_drawable(p, chart.log_y)) positions.push_back({x(p.x), y(p.y)});
    }
    if (positions.size() > 1) svg.polyline(positions, stroke(k));
    if (!chart.markers && positions.size() > 1) continue;
    for (const Point& p : positions) svg.circle(p, 2.6, stroke(k).color);
  }
}

bool has_legend(const LineChart& chart) {
  return chart.legend && (chart.series.size() > 1 || is_square(chart));
}

double legend_height(const LineChart& chart) {
  if (!has_legend(chart)) return 0.0;
  return 20.0 * static_cast<double>(chart.series.size()) + 4.0;
}

void draw_legend(Svg& svg, const LineChart& chart, const Frame& frame) {
  if (!has_legend(chart)) return;
  double at = frame.bottom() + 62.0;
  for (std::size_t k = 0; k < chart.series.size(); ++k, at += 20.0) {
    svg.polyline({{frame.left, at - 4.0}, {frame.left + 30.0, at - 4.0}}, stroke(k));
    svg.text({frame.left + 38.0, at}, shorten(chart.series[k].name, 48), "start", "name");
  }
}

}  // namespace

std::string draw(const LineChart& chart) {
  if (coordinates(chart, &Point::x).empty()) {
    return "<p class=\"empty\">" + escape(chart.title) + ": no values were recorded.</p>\n";
  }
  Frame frame;
  if (is_square(chart)) frame.width = frame.height = 340.0;
  Svg svg(frame.figure_width(), frame.figure_height() + legend_height(chart), chart.title,
          chart.description);
  const Axis x = x_axis(chart, frame);
  const Axis y = y_axis(chart, frame);
  draw_axes(svg, {chart.title, chart.description, chart.x_label, chart.y_label}, frame, x, y);
  if (chart.square == 1.0) svg.line({x(0.0), y(0.0)}, {x(1.0), y(1.0)}, "reference");
  if (chart.reference > 0.0) {
    const double at = y(chart.reference);
    svg.line({frame.left, at}, {frame.right(), at}, "reference");
    svg.text({frame.right(), at - 5.0}, chart.reference_label, "end", "tick");
  }
  draw_series(svg, chart, x, y);
  draw_legend(svg, chart, frame);
  return svg.finish();
}

}  // namespace kernmix::report
