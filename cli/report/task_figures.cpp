#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "figures.hpp"
#include "heat_map.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

constexpr std::size_t shown_tasks = 60;
constexpr std::size_t shown_columns = 40;
constexpr std::size_t shown_confusions = 25;

struct ClassColumn {
  const char* name;
  const char* title;
};
constexpr std::array<ClassColumn, 8> kClassColumns = {{{"precision", "precision"},
                                                       {"recall", "recall"},
                                                       {"f1", "F1"},
                                                       {"auc", "AUC"},
                                                       {"average_precision", "average precision"},
                                                       {"r2", "R\xc2\xb2"},
                                                       {"rmse", "RMSE"},
                                                       {"mae", "MAE"}}};

const ClasswiseMeasure* find_measure(const Assessment& assessment, const std::string& name) {
  for (const ClasswiseMeasure& measure : assessment.classwise) {
    if (measure.name == name) return &measure;
  }
  return nullptr;
}

std::string where_assessed(const Run& run, const Assessment& assessment) {
  return run.assessments.size() > 1 ? " on " + escape(assessment.data) : "";
}

std::string value_row(const std::string& name, const std::vector<const ClasswiseMeasure*>& measures,
                      const std::function<std::optional<double>(const ClasswiseMeasure&)>& value) {
  std::string row = "<tr><th scope=\"row\">" + escape(name) + "</th>";
  for (const ClasswiseMeasure* measure : measures) {
    row += "<td>" + decimals(value(*measure)) + "</td>";
  }
  return row + "</tr>\n";
}

std::string class_table(const Assessment& assessment) {
  std::vector<const ClasswiseMeasure*> measures;
  std::string titles;
  for (const ClassColumn& column : kClassColumns) {
    const ClasswiseMeasure* const measure = find_measure(assessment, column.name);
    if (measure == nullptr) continue;
    measures.push_back(measure);
    titles += fmt::format("<th>{}</th>", column.title);
  }
  std::string rows;
  const std::size_t shown = std::min(assessment.names.size(), shown_tasks);
  for (std::size_t k = 0; k < shown; ++k) {
    rows += value_row(assessment.names[k], measures,
                      [&](const ClasswiseMeasure& m) { return m.values[k]; });
  }
  rows += value_row("mean", measures, [](const ClasswiseMeasure& m) { return m.macro; });
  return "<div class=\"scroll\"><table><thead><tr><th>class</th>" + titles +
         "</tr></thead>\n<tbody>\n" + rows + "</tbody></table></div>\n";
}

/// The kernels with the largest sums of norms over all tasks, in their order in the bank.
std::vector<std::size_t> largest_kernels(const Run& run) {
  std::vector<double> sums(run.weights.size(), 0.0);
  for (const TaskRun& task : run.tasks) {
    for (std::size_t m = 0; m < std::min(sums.size(), task.norms.size()); ++m) {
      sums[m] += task.norms[m];
    }
  }
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0);
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

}  // namespace

std::string class_results(const Run& run) {
  std::string tables;
  for (const Assessment& assessment : run.assessments) {
    if (assessment.classwise.empty()) continue;
    const std::string some =
        assessment.names.size() > shown_tasks
            ? fmt::format(" The first {} of {} are shown.", shown_tasks, assessment.names.size())
            : "";
    tables += class_table(assessment) + "<p class=\"note\">Each class or label against the rest" +
              where_assessed(run, assessment) + "; their mean counts all alike." + some + "</p>\n";
  }
  return tables;
}

std::string task_weights(const Run& run) {
  if (run.tasks.size() < 2) return "";
  const bool separate = !run.tasks.front().weights.empty();
  const std::vector<std::size_t> kernels = largest_kernels(run);
  if (kernels.empty()) return "";
  HeatMap map;
  map.title =
      separate ? "Kernel weights of each task" : "Shared weights, and what each task makes of them";
  map.description = "One row for each task, one column for each kernel; the darker the larger.";
  for (const std::size_t m : kernels) map.columns.push_back(run.weights[m].kernel);
  std::vector<std::vector<double>> values;
  if (!separate) {
    std::vector<double> shared;
    for (const Weight& weight : run.weights) shared.push_back(weight.weight);
    map.rows.push_back("shared weights");
    values.push_back(std::move(shared));
  }
  for (std::size_t k = 0; k < std::min(run.tasks.size(), shown_tasks); ++k) {
    map.rows.push_back(run.tasks[k].name);
    values.push_back(separate ? run.tasks[k].weights : run.tasks[k].norms);
  }
  for (const std::vector<double>& row : values) map.shade.push_back(shades(row, kernels));
  map.text = [&](std::size_t row, std::size_t column) {
    const std::size_t m = kernels[column];
    return m < values[row].size() ? number(values[row][m]) : std::string();
  };
  const std::string what = separate ? "its kernel weights"
                                    : "the norms of its functions, at the shared weights of the "
                                      "first row";
  return "<figure>" + draw_heat_map(map) +
         fmt::format(
             "<figcaption>Each task by {}: the darker the larger, each row over its largest "
             "value. {} of {} tasks, the {} kernels with the largest norms."
             "</figcaption></figure>\n",
             what, std::min(run.tasks.size(), shown_tasks), run.tasks.size(), kernels.size());
}

std::string confusions(const Run& run) {
  std::string figures;
  for (const Assessment& assessment : run.assessments) {
    if (assessment.confusion.empty()) continue;
    if (assessment.names.size() > shown_confusions) continue;
    HeatMap map;
    map.title = "True classes (rows) and predicted classes (columns)";
    map.description = "Counts of samples; the darker the larger the share of the true class.";
    map.rows = assessment.names;
    map.columns = assessment.names;
    map.show_text = true;
    for (const std::vector<double>& counts : assessment.confusion) {
      const double sum = std::accumulate(counts.begin(), counts.end(), 0.0);
      std::vector<double> row;
      for (const double count : counts) row.push_back(sum > 0.0 ? count / sum : 0.0);
      map.shade.push_back(std::move(row));
    }
    map.text = [&](std::size_t row, std::size_t column) {
      return fmt::format("{:.0f}", assessment.confusion[row][column]);
    };
    figures += "<figure>" + draw_heat_map(map) +
               "<figcaption>How often one class was taken for "
               "another" +
               where_assessed(run, assessment) + ".</figcaption></figure>\n";
  }
  return figures;
}

}  // namespace kernmix::report
