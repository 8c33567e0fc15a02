#include <fmt/format.h>

#include <algorithm>

#include "chart/line_chart.hpp"
#include "figures.hpp"
#include "metrics/intervals.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

/// Two independent intervals with this quantile have a joint coverage of 95 %, each of sqrt(0.95).
constexpr double quantile_of_two = 2.236477;

std::vector<Point> roc_points(const Roc& roc) {
  std::vector<Point> points;
  for (std::size_t k = 0; k < roc.true_positive_rate.size(); ++k) {
    points.push_back({roc.false_positive_rate[k], roc.true_positive_rate[k]});
  }
  return points;
}

/// Adds a point to the outline of a staircase from the lower left to the upper right.
/// \param up_first which of the two ways around a corner
void add_stair(std::vector<Point>& outline, Point to, bool up_first) {
  if (!outline.empty()) {
    const Point from = outline.back();
    outline.push_back(up_first ? Point{from.x, to.y} : Point{to.x, from.y});
  }
  outline.push_back(to);
}

/// At each threshold true and false positive rate have independent Wilson intervals, together a
/// rectangle that contains both true rates with 95 % (Pepe 2003, section 2.2.2). The band is the
/// union of the rectangles.
std::vector<Point> roc_band(const Roc& roc, double positives, double negatives) {
  if (positives < 1.0 || negatives < 1.0) return {};
  std::vector<Point> upper = {{0.0, 0.0}};
  std::vector<Point> lower = upper;
  for (const Point& p : roc_points(roc)) {
    if (p.x + p.y <= 0.0 || p.x + p.y >= 2.0)
      continue;  // no sample or all samples are called positive
    const Interval found = wilson_interval(p.y, positives, quantile_of_two);
    const Interval alarms = wilson_interval(p.x, negatives, quantile_of_two);
    add_stair(upper, {alarms.low, found.high}, true);
    add_stair(lower, {alarms.high, found.low}, false);
  }
  add_stair(upper, {1.0, 1.0}, true);
  add_stair(lower, {1.0, 1.0}, false);
  upper.insert(upper.end(), lower.rbegin(), lower.rend());
  return upper;
}

LineChart roc_chart(const std::string& title, std::vector<Series> series, double square) {
  LineChart chart;
  chart.title = title;
  chart.description = "True positive rate against false positive rate; better curves are higher.";
  chart.x_label = "false positive rate";
  chart.y_label = "true positive rate";
  chart.series = std::move(series);
  chart.square = square;
  chart.diagonal = square == 1.0;
  return chart;
}

/// The part in which good classifiers differ; "" if no curve reaches it.
std::string roc_corner(const std::vector<Series>& series) {
  LineChart chart = roc_chart("Its upper left corner", series, 0.2);
  chart.legend = false;
  const auto inside = [&](const Point& p) {
    return p.x <= chart.square && p.y >= 1.0 - chart.square && p.x + p.y < 2.0 && p.x < 1.0;
  };
  const bool any = std::ranges::any_of(
      chart.series, [&](const Series& s) { return std::ranges::any_of(s.points, inside); });
  return any ? draw(chart) : "";
}

std::string auc_text(const Assessment& assessment) {
  const Measure* const auc = assessment.find("auc");
  if (auc == nullptr) return "AUC n/a";
  return "AUC " + decimals(auc->value);
}

/// Precision against recall at the thresholds of the ROC, from high ones to low ones, with Wilson's
/// interval of precision among the samples called positive.
Series precision_series(const Run& run, const Assessment& assessment) {
  Series series{run.name, {}, {ink, ""}};
  std::vector<Point> below;
  for (const Point& p : roc_points(assessment.roc)) {
    const double hits = p.y * assessment.positives;
    const double called = hits + p.x * assessment.negatives;
    if (called < 0.5) continue;
    const double trials =
        p.y * assessment.effective_positives + p.x * assessment.effective_negatives;
    const Interval interval = wilson_interval(hits / called, trials);
    series.points.push_back({p.y, hits / called});
    series.band.push_back({p.y, interval.high});
    below.push_back({p.y, interval.low});
  }
  series.band.insert(series.band.end(), below.rbegin(), below.rend());
  return series;
}

LineChart precision_chart(const Run& run, const Assessment& assessment) {
  LineChart chart;
  chart.title = "Precision and recall";
  chart.description = "Precision against recall over all thresholds; better curves are higher.";
  chart.x_label = "recall";
  chart.y_label = "precision";
  chart.square = 1.0;
  chart.series = {precision_series(run, assessment)};
  chart.reference = assessment.positives / (assessment.positives + assessment.negatives);
  chart.reference_label = "share of positives";
  return chart;
}

std::string interval_text(const Assessment& assessment, const char* name, const char* title) {
  const Measure* const measure = assessment.find(name);
  if (measure == nullptr || !measure->value) return "";
  std::string text = fmt::format(" {} {}", title, decimals(measure->value));
  if (measure->low && measure->high) {
    text +=
        fmt::format(" (95 % interval {} to {})", decimals(measure->low), decimals(measure->high));
  }
  return text + ".";
}

Figure ranking_figure(const Run& run, const Assessment& assessment) {
  Series roc{run.name, roc_points(assessment.roc), {ink, ""}};
  roc.band =
      roc_band(assessment.roc, assessment.effective_positives, assessment.effective_negatives);
  const LineChart whole = roc_chart("Receiver operating characteristic", {roc}, 1.0);
  Figure figure{{draw(whole)}, "", points_csv(whole)};
  figure.caption = fmt::format(
      "Ranking by the decision value{}: true positive rate against false positive rate, over all "
      "thresholds.",
      where_assessed(run, assessment));
  figure.caption += interval_text(assessment, "auc", "AUC");
  if (assessment.positives > 0.0 && assessment.negatives > 0.0) {
    const LineChart precision = precision_chart(run, assessment);
    figure.charts.push_back(draw(precision));
    figure.data += points_csv(precision);
    figure.caption += interval_text(assessment, "average_precision", "Average precision") +
                      fmt::format(
                          "  Bands are pointwise 95 % intervals: for the ROC joint Wilson "
                          "intervals of both rates (Pepe 2003), for precision Wilson intervals "
                          "among the samples called positive. {:.0f} positives, {:.0f} negatives.",
                          assessment.positives, assessment.negatives);
  }
  return figure;
}

LineChart reliability_chart(const Run& run, const Assessment& assessment) {
  LineChart chart;
  chart.title = "Calibration";
  chart.description = "Observed frequency against predicted probability; the diagonal is ideal.";
  chart.x_label = "predicted probability";
  chart.y_label = "observed frequency";
  chart.square = 1.0;
  chart.diagonal = true;
  chart.markers = true;
  Series series{run.name, {}, {ink, ""}};
  std::vector<Point> below;
  for (const ReliabilityPoint& p : assessment.reliability) {
    series.points.push_back({p.predicted, p.observed});
    if (!p.low || !p.high) continue;
    series.band.push_back({p.predicted, *p.high});
    below.push_back({p.predicted, *p.low});
  }
  series.band.insert(series.band.end(), below.rbegin(), below.rend());
  chart.series = {std::move(series)};
  return chart;
}

}  // namespace

std::string where_assessed(const Run& run, const Assessment& assessment) {
  return run.assessments.size() > 1 ? " on " + escape(assessment.data) : "";
}

Figure roc_comparison(const std::vector<Run>& runs) {
  std::vector<Series> series;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    for (const Assessment& assessment : runs[k].assessments) {
      if (assessment.roc.true_positive_rate.empty()) continue;
      const std::string where =
          runs[k].assessments.size() > 1 ? " on " + assessment.data : std::string();
      series.push_back({fmt::format("{}{}, {}", runs[k].name, where, auc_text(assessment)),
                        roc_points(assessment.roc),
                        method_stroke(runs.size() > 1 ? k : series.size())});
    }
  }
  if (series.size() < 2) return {};
  const LineChart chart = roc_chart("Receiver operating characteristics", series, 1.0);
  Figure figure{
      {draw(chart)},
      "ROC of all methods on the evaluation data; bands are in the figures of each method.",
      points_csv(chart)};
  const std::string corner = roc_corner(series);
  if (!corner.empty()) figure.charts.push_back(corner);
  return figure;
}

std::vector<Figure> ranking_curves(const Run& run) {
  std::vector<Figure> figures;
  for (const Assessment& assessment : run.assessments) {
    if (!assessment.roc.true_positive_rate.empty()) {
      figures.push_back(ranking_figure(run, assessment));
    }
  }
  return figures;
}

std::vector<Figure> reliability(const Run& run) {
  std::vector<Figure> figures;
  for (const Assessment& assessment : run.assessments) {
    if (assessment.reliability.empty()) continue;
    const LineChart chart = reliability_chart(run, assessment);
    figures.push_back(
        {{draw(chart)},
         fmt::format("Calibration{}: observed frequency in each tenth of the predicted "
                     "probability; band: Wilson&#39;s 95 % interval of each tenth.{}",
                     where_assessed(run, assessment),
                     interval_text(assessment, "brier_score", "Brier score")),
         points_csv(chart)});
  }
  return figures;
}

}  // namespace kernmix::report
