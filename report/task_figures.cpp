#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/samples.hpp"
#include "chart/heat_map.hpp"
#include "figures.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t shown_tasks = 25;
constexpr std::size_t shown_columns = 25;
constexpr std::size_t shown_confusions = 20;

/// The kernels with the largest sums of norms over all tasks, in their order in the bank.
std::vector<std::size_t> largest_kernels(const Run& run) {
  std::vector<double> sums(run.weights.size(), 0.0);
  for (const TaskRun& task : run.tasks) {
    for (std::size_t m = 0; m < std::min(sums.size(), task.norms.size()); ++m) {
      sums[m] += task.norms[m];
    }
  }
  std::vector<std::size_t> order = index_range<std::size_t>(0, sums.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] > sums[b]; });
  order.resize(std::min(order.size(), shown_columns));
  std::erase_if(order, [&](std::size_t m) { return sums[m] <= 0.0; });
  std::sort(order.begin(), order.end());
  return order;
}

/// One row of the map: the chosen values over the largest of all values.
std::vector<double> shades(const std::vector<double>& values,
                           const std::vector<std::size_t>& kernels) {
  std::vector<double> row;
  const double largest = values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
  for (const std::size_t m : kernels) {
    row.push_back(m < values.size() && largest > 0.0 ? values[m] / largest : 0.0);
  }
  return row;
}

/// The rows that differ most from the mean of all, in their order: all of few.
std::vector<std::size_t> unusual_rows(const std::vector<std::vector<double>>& rows) {
  std::vector<double> mean(rows.front().size(), 0.0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      mean[c] += row[c] / static_cast<double>(rows.size());
    }
  }
  const auto distance = [&](std::size_t r) {
    double sum = 0.0;
    for (std::size_t c = 0; c < mean.size(); ++c) sum += std::abs(rows[r][c] - mean[c]);
    return sum;
  };
  std::vector<std::size_t> order = index_range<std::size_t>(0, rows.size());
  std::ranges::stable_sort(order, std::ranges::greater{}, distance);
  order.resize(std::min(order.size(), shown_tasks));
  std::ranges::sort(order);
  return order;
}

/// Samples of a class that were taken for others, and of others that were taken for it.
double errors_of(const std::vector<std::vector<double>>& counts, std::size_t k) {
  double errors = 0.0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    if (j != k) errors += counts[k][j] + counts[j][k];
  }
  return errors;
}

/// The classes of a confusion matrix to show, in their order: all of few, else those with the most
/// errors.
std::vector<std::size_t> classes_to_show(const std::vector<std::vector<double>>& counts) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, counts.size());
  if (order.size() <= shown_confusions) return order;
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t k) { return errors_of(counts, k); });
  order.resize(shown_confusions);
  std::erase_if(order, [&](std::size_t k) { return errors_of(counts, k) == 0.0; });
  std::ranges::sort(order);
  return order;
}

std::string all_counts_csv(const Assessment& assessment) {
  std::string csv = csv_line({"true", "predicted", "samples"});
  for (std::size_t r = 0; r < assessment.names.size(); ++r) {
    for (std::size_t c = 0; c < assessment.names.size(); ++c) {
      if (assessment.confusion[r][c] == 0.0) continue;
      csv +=
          csv_line({assessment.names[r], assessment.names[c], number(assessment.confusion[r][c])});
    }
  }
  return csv;
}

Figure confusion_figure(const Run& run, const Assessment& assessment) {
  const std::vector<std::size_t> classes = classes_to_show(assessment.confusion);
  if (classes.empty()) return {};
  HeatMap map;
  map.title = "True classes (rows) and predicted classes (columns)";
  map.description = "Counts of samples; the darker the larger the share of the true class.";
  map.show_text = true;
  for (const std::size_t r : classes) {
    map.rows.push_back(assessment.names[r]);
    const std::vector<double>& counts = assessment.confusion[r];
    const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
    std::vector<double>& row = map.shade.emplace_back();
    for (const std::size_t c : classes) row.push_back(sum > 0.0 ? counts[c] / sum : 0.0);
  }
  map.columns = map.rows;
  map.text = [&](std::size_t row, std::size_t column) {
    return fmt::format("{:.0f}", assessment.confusion[classes[row]][classes[column]]);
  };
  const std::string some =
      classes.size() < assessment.names.size()
          ? fmt::format(" Of {} classes the {} with the most errors; the CSV has all.",
                        assessment.names.size(), classes.size())
          : "";
  return {{draw_heat_map(map)},
          fmt::format("Samples by true class (rows) and predicted class (columns){}; the diagonal "
                      "has correct predictions.{}",
                      where_assessed(run, assessment), some),
          all_counts_csv(assessment)};
}

}  // namespace

Figure task_weights(const Run& run) {
  if (run.tasks.size() < 2) return {};
  const bool separate = !run.tasks.front().weights.empty();
  const std::vector<std::size_t> kernels = largest_kernels(run);
  if (kernels.empty()) return {};
  HeatMap map;
  map.title =
      separate ? "Kernel weights of each task" : "Shared weights and the norms of each task";
  map.description = "One row for each task, one column for each kernel; the darker the larger.";
  for (const std::size_t m : kernels) map.columns.push_back(run.weights[m].kernel);
  std::vector<std::vector<double>> values;
  if (!separate) {
    std::vector<double>& shared = values.emplace_back();
    for (const Weight& weight : run.weights) shared.push_back(weight.weight);
    map.rows.emplace_back("shared weights");
    map.shade.push_back(shades(shared, kernels));
  }
  std::vector<std::vector<double>> rows;
  for (const TaskRun& task : run.tasks) {
    rows.push_back(shades(separate ? task.weights : task.norms, kernels));
  }
  const std::vector<std::size_t> shown = unusual_rows(rows);
  for (const std::size_t k : shown) {
    map.rows.push_back(run.tasks[k].name);
    map.shade.push_back(rows[k]);
    values.push_back(separate ? run.tasks[k].weights : run.tasks[k].norms);
  }
  map.text = [&](std::size_t row, std::size_t column) {
    const std::size_t m = kernels[column];
    return m < values[row].size() ? number(values[row][m]) : std::string();
  };
  const std::string what = separate ? "its kernel weights"
                                    : "the norms of its functions, at the shared weights of the "
                                      "first row";
  return {
      {draw_heat_map(map)},
      fmt::format(
          "Each task by {}: the darker the larger, relative to the largest value of each row. {}"
          "The {} kernels with the largest norms.",
          what,
          shown.size() < run.tasks.size()
              ? fmt::format("Of {} tasks, the {} that differ most from the mean.  ",
                            run.tasks.size(), shown.size())
              : "",
          kernels.size()),
      csv_table(map.rows, map.columns, map.text)};
}

std::vector<Figure> confusions(const Run& run) {
  std::vector<Figure> figures;
  for (const Assessment& assessment : run.assessments) {
    if (!assessment.confusion.empty()) figures.push_back(confusion_figure(run, assessment));
  }
  return figures;
}

}  // namespace kernmix::report
