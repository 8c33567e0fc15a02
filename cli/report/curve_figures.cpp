#include <fmt/format.h>

#include <algorithm>

#include "figures.hpp"
#include "line_chart.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

std::vector<Series> gap_series(const std::vector<Run>& runs, double Step::*along) {
  std::vector<Series> all;
  for (const Run& run : runs) {
    Series series{run.name, {}};
    for (const Step& step : run.history) {
      if (step.relative_gap) series.points.push_back({step.*along, *step.relative_gap});
    }
    all.push_back(std::move(series));
  }
  return all;
}

/// The tolerance of all runs, or 0 where they differ.
double common_tolerance(const std::vector<Run>& runs) {
  const double first = runs.front().value("tolerance").value_or(0.0);
  const bool same = std::all_of(runs.begin(), runs.end(), [&](const Run& run) {
    return run.value("tolerance").value_or(0.0) == first;
  });
  return same ? first : 0.0;
}

LineChart gap_chart(const std::vector<Run>& runs, const std::string& x_label, double Step::*along) {
  LineChart chart;
  chart.title = "Relative gap against " + x_label;
  chart.description = "One falling line for each run, on a logarithmic scale.";
  chart.x_label = x_label;
  chart.y_label = "relative gap";
  chart.series = gap_series(runs, along);
  chart.log_y = true;
  chart.count_x = x_label == "iterations";
  chart.markers = true;
  chart.reference = common_tolerance(runs);
  chart.reference_label = "tolerance";
  return chart;
}

/// The part where good classifiers differ; nothing where no curve comes there.
std::string roc_corner(LineChart chart) {
  chart.title = "Its upper left corner";
  chart.square = 0.2;
  chart.legend = false;
  const auto inside = [&](const Point& p) {
    return p.x <= chart.square && p.y >= 1.0 - chart.square;
  };
  const bool any = std::any_of(chart.series.begin(), chart.series.end(), [&](const Series& s) {
    return std::any_of(s.points.begin(), s.points.end(), inside);
  });
  return any ? draw(chart) : "";
}

}  // namespace

std::string convergence(const std::vector<Run>& runs) {
  return "<figure class=\"pair\">" + draw(gap_chart(runs, "iterations", &Step::number)) +
         draw(gap_chart(runs, "seconds", &Step::seconds)) +
         "<figcaption>Convergence: the certified relative gap, (primal &#8722; dual) / "
         "max(|primal|, |dual|), "
         "of the best bounds found so far.</figcaption></figure>\n";
}

std::string bounds(const Run& run) {
  if (run.history.size() < 2) return "";
  LineChart chart;
  chart.title = "Bounds on the optimum: " + run.name;
  chart.description = "Primal bound from above and dual bound from below, meeting at the optimum.";
  chart.x_label = "iterations";
  chart.y_label = "objective";
  Series primal{"primal (upper bound)", {}};
  Series dual{"dual (lower bound)", {}};
  double least = 1.0;
  double most = 0.0;
  for (const Step& step : run.history) {
    if (step.primal) primal.points.push_back({step.number, *step.primal});
    if (step.dual) dual.points.push_back({step.number, *step.dual});
    least = std::min(least, step.dual.value_or(least));
    most = std::max(most, step.primal.value_or(most));
  }
  chart.count_x = true;
  chart.log_y = least > 0.0 && most > 20.0 * least;
  chart.series = {std::move(primal), std::move(dual)};
  chart.markers = true;
  return "<figure>" + draw(chart) +
         "<figcaption>The two bounds that enclose the optimum, after each outer "
         "iteration.</figcaption></figure>\n";
}

std::string roc_curves(const std::vector<Run>& runs) {
  LineChart chart;
  chart.title = "Receiver operating characteristic";
  chart.description = "True positive rate against false positive rate; better curves are higher.";
  chart.x_label = "false positive rate";
  chart.y_label = "true positive rate";
  chart.square = 1.0;
  for (const Run& run : runs) {
    for (const Assessment& assessment : run.assessments) {
      if (assessment.roc.true_positive_rate.empty()) continue;
      const Measure* auc = assessment.find("auc");
      const std::string where =
          run.assessments.size() > 1 ? " on " + assessment.data : std::string();
      Series series{fmt::format("{}{}, AUC {}", run.name, where,
                                auc == nullptr ? "n/a" : decimals(auc->value)),
                    {}};
      for (std::size_t k = 0; k < assessment.roc.true_positive_rate.size(); ++k) {
        series.points.push_back(
            {assessment.roc.false_positive_rate[k], assessment.roc.true_positive_rate[k]});
      }
      chart.series.push_back(std::move(series));
    }
  }
  if (chart.series.empty()) return "";
  return "<figure class=\"pair\">" + draw(chart) + roc_corner(chart) +
         "<figcaption>ROC on the evaluation data: the share of positives found against the share "
         "of false alarms, over all thresholds.</figcaption></figure>\n";
}

}  // namespace kernmix::report
