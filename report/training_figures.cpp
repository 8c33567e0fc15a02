#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/samples.hpp"
#include "chart/line_chart.hpp"
#include "figures.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t kernels_shown = 8;

/// Kernels by their final weight, the largest first; those without weight are left out.
std::vector<std::size_t> heaviest_kernels(const Run& run) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, run.weights.size());
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

std::vector<Series> gap_series(const std::vector<Run>& runs, double Step::*along) {
  std::vector<Series> all;
  for (const Run& run : runs) {
    Series series{run.name, {}, method_stroke(all.size())};
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

/// Where colours come again, with another dash.
std::string dash_sentence(std::size_t methods) {
  if (methods <= distinct_colors) return "";
  return fmt::format("  From method {} on colours repeat with another dash pattern.",
                     distinct_colors + 1);
}

struct TraceFigure {
  const char* name;
  const char* title;
};
constexpr std::array<TraceFigure, 3> kTraceFigures = {
    {{"accuracy", "accuracy"},
     {"mean_auc", "mean AUC"},
     {"mean_average_precision", "mean average precision"}}};

LineChart trace_chart(const std::vector<Run>& runs, const TraceFigure& figure) {
  LineChart chart;
  chart.title = fmt::format("Held-out samples: {}", figure.title);
  chart.description = "One line for each run; an earlier rise is better.";
  chart.x_label = "seconds";
  chart.y_label = figure.title;
  chart.markers = true;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    Series series{runs[k].name, {}, method_stroke(k)};
    for (const TracePoint& point : runs[k].trace) {
      const auto value = point.values.find(figure.name);
      if (value != point.values.end()) series.points.push_back({point.seconds, value->second});
    }
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  return chart;
}

/// Candidates of the regularizer of the chosen one, by C.
std::vector<Candidate> path_of_choice(const Search& search) {
  std::vector<Candidate> path;
  if (!search.chosen) return path;
  const std::string& regularizer = search.candidates[*search.chosen].regularizer;
  for (const Candidate& candidate : search.candidates) {
    if (candidate.regularizer == regularizer && candidate.C > 0.0) path.push_back(candidate);
  }
  std::ranges::stable_sort(path, {}, &Candidate::C);
  return path;
}

LineChart path_chart(const std::string& title, const std::string& y_label) {
  LineChart chart;
  chart.title = title;
  chart.description = "One point for each C that was tried.";
  chart.x_label = "C";
  chart.y_label = y_label;
  chart.log_x = true;
  chart.markers = true;
  chart.series = {{y_label, {}, {ink, ""}}};
  return chart;
}

/// The rule of kernmix tune --choose, as a reason.
std::string rule_of_choice(const Search& search) {
  if (!search.best || !search.prefers_simple) return "the best of all candidates";
  if (search.chosen == search.best) {
    return "the best, because no simpler candidate is within one standard error (one-se)";
  }
  const Candidate& best = search.candidates[*search.best];
  const bool other = best.regularizer != search.candidates[*search.chosen].regularizer;
  return fmt::format(
      "the simplest candidate within one standard error of the best (one-se; the best, C = {}{}, "
      "has {})",
      number(best.C), other ? " with the regularizer " + escape(best.regularizer) : "",
      number(best.mean));
}

}  // namespace

Figure convergence(const std::vector<Run>& runs) {
  const auto one_step = [](const Run& run) { return run.history.size() < 2; };
  if (std::all_of(runs.begin(), runs.end(), one_step)) return {};
  const LineChart iterations = gap_chart(runs, "iterations", &Step::number);
  const LineChart seconds = gap_chart(runs, "seconds", &Step::seconds);
  return {{draw(iterations), draw(seconds)},
          "Convergence: the certified relative gap, (primal &#8722; dual) / max(|primal|, |dual|), "
          "of the best bounds found so far." +
              dash_sentence(runs.size()),
          points_csv(iterations) + points_csv(seconds)};
}

Figure bounds(const Run& run) {
  if (run.history.size() < 2) return {};
  LineChart chart;
  chart.title = "Bounds on the optimum";
  chart.description = "Primal bound from above and dual bound from below, meeting at the optimum.";
  chart.x_label = "iterations";
  chart.y_label = "objective";
  Series primal{"primal (upper bound)", {}, {ink, ""}};
  Series dual{"dual (lower bound)", {}, {soft, "5 3"}};
  double least = std::numeric_limits<double>::infinity();
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
  return {{draw(chart)},
          "The two bounds that enclose the optimum, after each outer iteration.",
          points_csv(chart)};
}

Figure weight_evolution(const Run& run) {
  const auto known = [](const Step& step) { return !step.weights.empty(); };
  if (std::count_if(run.history.begin(), run.history.end(), known) < 2) return {};
  const std::vector<std::size_t> kernels = heaviest_kernels(run);
  LineChart chart;
  chart.title = "Evolution of kernel weights";
  chart.description = "One line for each of the kernels with the largest final weights.";
  chart.x_label = "seconds";
  chart.y_label = "weight";
  chart.markers = true;
  for (const std::size_t m : kernels) {
    Series series{run.weights[m].kernel, {}, kernel_stroke(chart.series.size())};
    for (const Step& step : run.history) {
      if (known(step)) series.points.push_back({step.seconds, weight_at(step, m)});
    }
    chart.series.push_back(std::move(series));
  }
  return {{draw(chart)},
          fmt::format("Weights of the best answer so far, after each outer iteration: the {} "
                      "kernels with the largest final weights, of {} in use.",
                      kernels.size(), run.kernels_used()),
          points_csv(chart)};
}

Figure trace_curves(const std::vector<Run>& runs) {
  Figure figure;
  for (const TraceFigure& known : kTraceFigures) {
    const LineChart chart = trace_chart(runs, known);
    if (chart.series.empty()) continue;
    figure.charts.push_back(draw(chart));
    figure.data += points_csv(chart);
  }
  figure.caption =
      "Scores of intermediate models on held-out samples, as if training had ended earlier; the "
      "final model is last.";
  return figure;
}

Figure search_path(const Search& search) {
  const std::vector<Candidate> path = path_of_choice(search);
  if (path.size() < 2) return {};
  const Candidate& chosen = search.candidates[*search.chosen];
  LineChart scores = path_chart("Score along the path", search.score);
  LineChart used = path_chart("Sparsity path", "kernels used");
  used.large_dot = Point{chosen.C, chosen.kernels_used};
  if (chosen.mean) scores.large_dot = Point{chosen.C, *chosen.mean};
  Series& score = scores.series.front();
  std::vector<Point> below;
  for (const Candidate& candidate : path) {
    used.series.front().points.push_back({candidate.C, candidate.kernels_used});
    if (!candidate.mean) continue;
    score.points.push_back({candidate.C, *candidate.mean});
    score.band.push_back({candidate.C, *candidate.mean + candidate.sd.value_or(0.0)});
    below.push_back({candidate.C, *candidate.mean - candidate.sd.value_or(0.0)});
  }
  score.band.insert(score.band.end(), below.rbegin(), below.rend());
  Figure figure{{draw(used)}, "", points_csv(used)};
  std::string what = "kernels used";
  if (score.points.size() > 1) {
    figure.charts.insert(figure.charts.begin(), draw(scores));
    figure.data += points_csv(scores);
    what = escape(search.score) +
           " in cross-validation (mean; band: one standard deviation of the folds) and kernels "
           "used";
  }
  figure.caption = fmt::format(
      "The search over C with the regularizer {}: {}. C = {} was chosen (the large dot), {}, with "
      "the {} {}, which is optimistic because of the selection.{}",
      escape(chosen.regularizer), what, number(chosen.C), rule_of_choice(search),
      escape(search.score), number(chosen.mean),
      score.points.size() < path.size() ? "  Values of C that could no longer win have no score."
                                        : "");
  return figure;
}

}  // namespace kernmix::report
