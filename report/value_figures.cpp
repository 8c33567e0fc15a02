#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "chart/frame.hpp"
#include "figures.hpp"
#include "labels.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t shown_points = 2000;  ///< of a scatter plot: more only hide each other
constexpr double bins = 30.0;
constexpr std::string_view outlier_color = "#B2182B";  ///< of Brewer's scheme RdBu
constexpr std::string_view inlier_color = "#92C5DE";

using Positions = std::vector<Point>;

/// At most shown_points of them, evenly chosen.
Positions thinned(const Positions& points) {
  if (points.size() <= shown_points) return points;
  Positions chosen;
  for (std::size_t k = 0; k < shown_points; ++k) {
    chosen.push_back(points[k * points.size() / shown_points]);
  }
  return chosen;
}

std::vector<double> coordinate(const Positions& points, double Point::*which) {
  std::vector<double> values;
  for (const Point& p : points) values.push_back(p.*which);
  return values;
}

void draw_points(Svg& svg, const Positions& points, const Axis& x, const Axis& y) {
  for (const Point& p : thinned(points)) svg.dot({x(p.x), y(p.y)}, 2.4, ink);
}

/// A square frame with room for the labels of its axes.
Frame square_frame(const std::vector<double>& across, const std::vector<double>& up) {
  Frame frame;
  frame.fit(Axis::linear(up, frame.bottom(), frame.top),
            Axis::linear(across, frame.left, frame.right()));
  frame.height = 330.0;
  return frame;
}

/// Predicted against true, with the diagonal on which a prediction is right.
std::string predicted_chart(const Positions& points) {
  const ChartText text = {"Predicted against true",
                          "One dot for each sample; exact predictions are on the diagonal.", "true",
                          "predicted"};
  std::vector<double> range = coordinate(points, &Point::x);
  const std::vector<double> predicted = coordinate(points, &Point::y);
  range.insert(range.end(), predicted.begin(), predicted.end());
  const Frame frame = square_frame(range, range);
  const Axis x = Axis::linear(range, frame.left, frame.right());
  const Axis y = Axis::linear(range, frame.bottom(), frame.top);
  Svg svg(chart_width, frame.figure_height(), text.title, text.description);
  draw_axes(svg, text, frame, x, y);
  const auto [least, most] = std::minmax_element(range.begin(), range.end());
  draw_points(svg, points, x, y);
  svg.line({x(*least), y(*least)}, {x(*most), y(*most)}, "reference");
  return svg.finish();
}

/// Residuals against predictions, with the line where a prediction is right.
std::string residual_chart(const Positions& points) {
  const ChartText text = {"Residuals",
                          "True minus predicted, one dot for each sample; a pattern means that the "
                          "model misses structure in the data.",
                          "predicted", "true \xe2\x88\x92 predicted"};
  Positions residuals;
  for (const Point& p : points) residuals.push_back({p.y, p.x - p.y});
  std::vector<double> heights = coordinate(residuals, &Point::y);
  heights.push_back(0.0);
  const Frame frame = square_frame(coordinate(residuals, &Point::x), heights);
  const Axis x = Axis::linear(coordinate(residuals, &Point::x), frame.left, frame.right());
  const Axis y = Axis::linear(heights, frame.bottom(), frame.top);
  Svg svg(chart_width, frame.figure_height(), text.title, text.description);
  draw_axes(svg, text, frame, x, y);
  draw_points(svg, residuals, x, y);
  svg.line({frame.left, y(0.0)}, {frame.right(), y(0.0)}, "reference");
  return svg.finish();
}

/// Counts of values in bins of one width, of which one begins at 0: no bar mixes the two sides.
struct Histogram {
  double width = 1.0;
  double first = 0.0;  ///< the number of the first bin: bin k begins at (first + k) width
  std::array<std::vector<double>, 2> counts;  ///< of outliers [0] and of the others [1]
  [[nodiscard]] double edge(std::size_t bin) const {
    return (first + static_cast<double>(bin)) * width;
  }
};

Histogram histogram(const Decisions& decisions) {
  const auto [least, most] = std::minmax_element(decisions.value.begin(), decisions.value.end());
  const double range = std::max(*most, 0.0) - std::min(*least, 0.0);
  Histogram result;
  if (range > 0.0) result.width = range / bins;
  result.first = std::min(0.0, std::floor(*least / result.width));
  const double last = std::max(0.0, std::floor(*most / result.width));
  for (auto& counts : result.counts) {
    counts.assign(static_cast<std::size_t>(last - result.first) + 1, 0.0);
  }
  for (std::size_t i = 0; i < decisions.value.size(); ++i) {
    const double bin = std::floor(decisions.value[i] / result.width) - result.first;
    const bool inlier = decisions.inlier.empty() || decisions.inlier[i];
    result.counts[inlier ? 1 : 0][static_cast<std::size_t>(bin)] += 1.0;
  }
  return result;
}

std::string histogram_chart(const Decisions& decisions) {
  const ChartText text = {"Decision values",
                          "Bars count samples by decision value; those left of zero are called "
                          "outliers. Known outliers are stacked on known inliers.",
                          "decision value", "samples"};
  const Histogram values = histogram(decisions);
  const bool labelled = !decisions.inlier.empty();
  std::vector<double> heights = {0.0};
  const std::size_t size = values.counts[0].size();
  for (std::size_t k = 0; k < size; ++k) {
    heights.push_back(values.counts[0][k] + values.counts[1][k]);
  }
  Frame frame;
  frame.fit(Axis::linear(heights, frame.bottom(), frame.top, 1.0),
            Axis::linear({values.edge(0), values.edge(size)}, frame.left, frame.right()));
  const Axis x = Axis::linear({values.edge(0), values.edge(size)}, frame.left, frame.right());
  const Axis y = Axis::linear(heights, frame.bottom(), frame.top, 1.0);
  Svg svg(chart_width, frame.figure_height() + (labelled ? 44.0 : 0.0), text.title,
          text.description);
  draw_axes(svg, text, frame, x, y);
  const std::array<std::string_view, 2> colors = {outlier_color, inlier_color};
  for (std::size_t k = 0; k < size; ++k) {
    const double left = x(values.edge(k));
    const double width = std::max(0.5, x(values.edge(k + 1)) - left - 1.0);
    double base = 0.0;
    for (const std::size_t group : {std::size_t{1}, std::size_t{0}}) {
      const double count = values.counts[group][k];
      if (count == 0.0) continue;
      svg.bar({left, y(base + count)}, width, y(base) - y(base + count), colors[group],
              fmt::format("{} samples", count));
      base += count;
    }
  }
  svg.line({x(0.0), frame.top}, {x(0.0), frame.bottom()}, "reference");
  svg.text({x(0.0) - 5.0, frame.top + 11.0}, "outlier", "end", "tick");
  svg.text({x(0.0) + 5.0, frame.top + 11.0}, "inlier", "start", "tick");
  if (labelled) {
    const std::vector<std::string> keys = distinct_labels(
        {"labelled " + decisions.inlier_name, "labelled " + decisions.outlier_name}, longest_key);
    draw_key(svg, frame, 0, colors[1], keys[0]);
    draw_key(svg, frame, 1, colors[0], keys[1]);
  }
  return svg.finish();
}

std::string predictions_csv(const Positions& points) {
  std::string csv = csv_line({"true", "predicted"});
  for (const Point& p : points) csv += csv_line({precise(p.x), precise(p.y)});
  return csv;
}

std::string decisions_csv(const Decisions& decisions) {
  const bool labelled = !decisions.inlier.empty();
  std::string csv = csv_line(labelled ? std::vector<std::string>{"decision", "label"}
                                      : std::vector<std::string>{"decision"});
  for (std::size_t i = 0; i < decisions.value.size(); ++i) {
    std::vector<std::string> row = {precise(decisions.value[i])};
    if (labelled)
      row.push_back(decisions.inlier[i] ? decisions.inlier_name : decisions.outlier_name);
    csv += csv_line(row);
  }
  return csv;
}

}  // namespace

std::vector<Figure> predicted_numbers(const Run& run) {
  std::vector<Figure> figures;
  for (const Assessment& assessment : run.assessments) {
    const Predictions& predictions = assessment.predictions;
    if (predictions.truth.empty()) continue;
    Positions points;
    for (std::size_t i = 0; i < predictions.truth.size(); ++i) {
      points.push_back({predictions.truth[i], predictions.predicted[i]});
    }
    const std::string some =
        points.size() > shown_points
            ? fmt::format(" {} of {} samples are drawn.", shown_points, points.size())
            : "";
    figures.push_back({{predicted_chart(points), residual_chart(points)},
                       "Predictions on the evaluation data" + where_assessed(run, assessment) +
                           ", and residuals: true minus predicted." + some,
                       predictions_csv(points)});
  }
  return figures;
}

std::vector<Figure> decision_values(const Run& run) {
  std::vector<Figure> figures;
  for (const Assessment& assessment : run.assessments) {
    if (assessment.decisions.value.empty()) continue;
    figures.push_back({{histogram_chart(assessment.decisions)},
                       "Distribution of the decision values of the evaluation data" +
                           where_assessed(run, assessment) +
                           " : samples left of zero are called outliers.",
                       decisions_csv(assessment.decisions)});
  }
  return figures;
}

}  // namespace kernmix::report
