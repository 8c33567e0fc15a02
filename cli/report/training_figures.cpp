#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "figures.hpp"
#include "line_chart.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t kernels_shown = 8;

/// Kernels by their final weight, the largest first; those without weight are left out.
std::vector<std::size_t> heaviest_kernels(const Run& run) {
  std::vector<std::size_t> order(run.weights.size());
  std::iota(order.begin(), order.end(), 0);
  std::erase_if(order, [&](std::size_t m) { return run.weights[m].weight <= 0.0; });
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return run.weights[a].weight > run.weights[b].weight;
  });
  order.resize(std::min(order.size(), kernels_shown));
  return order;
}

double weight_at(const Step& step, std::size_t kernel) {
  const auto found = step.weights.find(kernel);
  return found == step.weights.end() ? 0.0 : found->second;
}

struct TraceFigure {
  const char* name;
  const char* title;
};
constexpr std::array<TraceFigure, 3> kTraceFigures = {
    {{"accuracy", "accuracy"},
     {"mean_auc", "mean AUC"},
     {"mean_average_precision", "mean average precision"}}};

std::string trace_figure(const std::vector<Run>& runs, const TraceFigure& figure) {
  LineChart chart;
  chart.title = fmt::format("Held-out samples: {}", figure.title);
  chart.description = "One line for each run; the sooner it rises the better.";
  chart.x_label = "seconds";
  chart.y_label = figure.title;
  chart.markers = true;
  for (const Run& run : runs) {
    Series series{run.name, {}};
    for (const TracePoint& point : run.trace) {
      const auto value = point.values.find(figure.name);
      if (value != point.values.end()) series.points.push_back({point.seconds, value->second});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart.series.empty() ? "" : draw(chart);
}

}  // namespace

std::string weight_evolution(const Run& run) {
  const auto known = [](const Step& step) { return !step.weights.empty(); };
  if (std::count_if(run.history.begin(), run.history.end(), known) < 2) return "";
  const std::vector<std::size_t> kernels = heaviest_kernels(run);
  LineChart chart;
  chart.title = "Evolution of kernel weights: " + run.name;
  chart.description = "One line for each of the kernels with the largest weights in the end.";
  chart.x_label = "seconds";
  chart.y_label = "weight";
  chart.markers = true;
  for (const std::size_t m : kernels) {
    Series series{run.weights[m].kernel, {}};
    for (const Step& step : run.history) {
      if (known(step)) series.points.push_back({step.seconds, weight_at(step, m)});
    }
    chart.series.push_back(std::move(series));
  }
  return "<figure>" + draw(chart) +
         fmt::format(
             "<figcaption>Weights of the best answer so far, after each outer iteration: "
             "the {} largest in the end of {} that are used.</figcaption></figure>\n",
             kernels.size(), run.kernels_used());
}

std::string trace_curves(const std::vector<Run>& runs) {
  std::string charts;
  for (const TraceFigure& figure : kTraceFigures) charts += trace_figure(runs, figure);
  if (charts.empty()) return "";
  return "<figure class=\"pair\">" + charts +
         "<figcaption>What training would have given, had it ended sooner: models of moments of "
         "the run on samples that it has not seen, and the final one last.</figcaption></figure>\n";
}

}  // namespace kernmix::report
