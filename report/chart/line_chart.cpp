#include "line_chart.hpp"

#include <algorithm>
#include <cmath>

#include "axis.hpp"
#include "frame.hpp"
#include "palette.hpp"
#include "report/figure.hpp"
#include "report/labels.hpp"
#include "report/text.hpp"

namespace kernmix::report {

namespace {

bool is_drawable(const LineChart& chart, const Point& p) {
  return std::isfinite(p.x) && std::isfinite(p.y) && (!chart.log_y || p.y > 0.0) &&
         (!chart.log_x || p.x > 0.0);
}

bool is_square(const LineChart& chart) { return chart.square > 0.0; }

std::vector<double> coordinates(const LineChart& chart, double Point::*coordinate) {
  std::vector<double> values;
  for (const Series& series : chart.series) {
    for (const auto* points : {&series.points, &series.band}) {
      for (const Point& p : *points) {
        if (is_drawable(chart, p)) values.push_back(p.*coordinate);
      }
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
  if (chart.log_x) return Axis::logarithmic(values, frame.left, frame.right());
  values.push_back(0.0);
  return Axis::linear(values, frame.left, frame.right(), chart.count_x ? 1.0 : 0.0);
}

/// True unless a zoomed chart would draw the point on its edge.
bool is_inside(const LineChart& chart, const Point& p) {
  return !is_square(chart) || (p.x <= chart.square && p.y >= 1.0 - chart.square);
}

std::vector<Point> positions_of(const LineChart& chart, const std::vector<Point>& points,
                                const Axis& x, const Axis& y) {
  std::vector<Point> positions;
  for (const Point& p : points) {
    if (is_drawable(chart, p)) positions.push_back({x(p.x), y(p.y)});
  }
  return positions;
}

void draw_series(Svg& svg, const LineChart& chart, const Axis& x, const Axis& y) {
  for (const Series& series : chart.series) {
    const auto band = positions_of(chart, series.band, x, y);
    if (band.size() > 2) svg.area(band, series.stroke.color);
  }
  for (const Series& series : chart.series) {
    const auto positions = positions_of(chart, series.points, x, y);
    if (positions.size() > 1) svg.polyline(positions, series.stroke);
    if (!chart.markers && positions.size() > 1) continue;
    for (const Point& p : series.points) {
      if (is_drawable(chart, p) && is_inside(chart, p)) {
        svg.circle({x(p.x), y(p.y)}, 2.6, series.stroke.color);
      }
    }
  }
  if (chart.large_dot && is_drawable(chart, *chart.large_dot)) {
    svg.circle({x(chart.large_dot->x), y(chart.large_dot->y)}, 5.5, ink);
  }
}

bool has_legend(const LineChart& chart) { return chart.legend && chart.series.size() > 1; }

double legend_height(const LineChart& chart) {
  if (!has_legend(chart)) return 0.0;
  return 20.0 * static_cast<double>(chart.series.size()) + 4.0;
}

void draw_legend(Svg& svg, const LineChart& chart, const Frame& frame) {
  if (!has_legend(chart)) return;
  std::vector<std::string> names;
  for (const Series& series : chart.series) names.push_back(series.name);
  const std::vector<std::string> labels = distinct_labels(names, 46);
  double at = frame.bottom() + 62.0;
  for (std::size_t k = 0; k < labels.size(); ++k) {
    svg.polyline({{frame.left, at - 4.0}, {frame.left + 30.0, at - 4.0}}, chart.series[k].stroke);
    svg.text({frame.left + 38.0, at}, labels[k], "start", "name");
    at += 20.0;
  }
}

void draw_reference(Svg& svg, const LineChart& chart, const Frame& frame, const Axis& y) {
  if (chart.reference <= 0.0) return;
  const double at = y(chart.reference);
  svg.line({frame.left, at}, {frame.right(), at}, "reference");
  svg.text({frame.left + 4.0, at - 5.0}, chart.reference_label, "start", "tick");
}

/// A frame with margins for the labels of its axes, which depend only on its height.
Frame fitting_frame(const LineChart& chart) {
  Frame frame;
  frame.fit(y_axis(chart, frame), x_axis(chart, frame));
  if (is_square(chart)) frame.height = frame.width();
  return frame;
}

}  // namespace

std::string draw(const LineChart& chart) {
  if (coordinates(chart, &Point::x).empty()) {
    Svg svg(chart_width, 48.0, chart.title, chart.description);
    svg.text({0.0, 16.0}, chart.title, "start", "strong");
    svg.text({0.0, 38.0}, "no values were recorded", "start", "tick");
    return svg.finish();
  }
  const Frame frame = fitting_frame(chart);
  Svg svg(chart_width, frame.figure_height() + legend_height(chart), chart.title,
          chart.description);
  const Axis x = x_axis(chart, frame);
  const Axis y = y_axis(chart, frame);
  draw_axes(svg, {chart.title, chart.description, chart.x_label, chart.y_label}, frame, x, y);
  if (chart.diagonal) svg.line({x(0.0), y(0.0)}, {x(1.0), y(1.0)}, "reference");
  draw_reference(svg, chart, frame, y);
  draw_series(svg, chart, x, y);
  draw_legend(svg, chart, frame);
  return svg.finish();
}

std::string points_csv(const LineChart& chart) {
  const bool several = chart.series.size() > 1;
  std::vector<std::string> head = {chart.x_label, chart.y_label};
  if (several) head.insert(head.begin(), "line");
  std::string csv = csv_line(head);
  for (const Series& series : chart.series) {
    for (const Point& p : series.points) {
      std::vector<std::string> row = {precise(p.x), precise(p.y)};
      if (several) row.insert(row.begin(), series.name);
      csv += csv_line(row);
    }
  }
  return csv;
}

}  // namespace kernmix::report
