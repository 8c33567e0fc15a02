#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/samples.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

constexpr std::size_t few_classes = 12;  ///< largest number that is shown in full
constexpr std::size_t shown_worst = 10;
constexpr std::size_t shown_pairs = 10;

struct ClassColumn {
  const char* name;
  const char* title;
  bool larger_is_better;
};
constexpr std::array<ClassColumn, 8> kClassColumns = {
    {{"precision", "precision", true},
     {"recall", "recall", true},
     {"f1", "F1", true},
     {"auc", "AUC", true},
     {"average_precision", "average precision", true},
     {"r2", "R\xc2\xb2", true},
     {"rmse", "RMSE", false},
     {"mae", "MAE", false}}};

/// A metric of every class that an evaluation has.
struct KnownColumn {
  ClassColumn column;
  const ClasswiseMeasure* measure;
};

std::vector<KnownColumn> known_columns(const Assessment& assessment) {
  std::vector<KnownColumn> known;
  for (const ClassColumn& column : kClassColumns) {
    const auto found =
        std::ranges::find(assessment.classwise, std::string(column.name), &ClasswiseMeasure::name);
    if (found != assessment.classwise.end()) known.push_back({column, &*found});
  }
  return known;
}

/// The metric that ranks the classes: F1, R^2 for targets, otherwise the first one.
const KnownColumn& deciding_column(const std::vector<KnownColumn>& columns) {
  for (const KnownColumn& known : columns) {
    const std::string name = known.column.name;
    if (name == "f1" || name == "r2") return known;
  }
  return columns.front();
}

/// Classes in order of increasing quality; those without a value last.
std::vector<std::size_t> worst_first(const KnownColumn& by, std::size_t classes) {
  std::vector<std::size_t> order = index_range<std::size_t>(0, classes);
  const auto badness = [&](std::size_t k) {
    const double missing = 1e300;
    const double value =
        by.measure->values[k].value_or(by.column.larger_is_better ? missing : -missing);
    return by.column.larger_is_better ? value : -value;
  };
  std::ranges::stable_sort(order, {}, badness);
  return order;
}

/// The first of them that are not perfect.
std::vector<std::size_t> imperfect(const KnownColumn& by, const std::vector<std::size_t>& order) {
  const double perfect = by.column.larger_is_better ? 1.0 : 0.0;
  std::vector<std::size_t> worst;
  for (const std::size_t k : order) {
    if (worst.size() < shown_worst && by.measure->values[k] != perfect) worst.push_back(k);
  }
  return worst;
}

std::string value_row(const std::string& name, const std::vector<KnownColumn>& columns,
                      const std::function<std::optional<double>(const ClasswiseMeasure&)>& value) {
  std::string row = "<tr><th scope=\"row\">" + escape(name) + "</th>";
  for (const KnownColumn& known : columns) {
    row += fmt::format("<td data-label=\"{}\">{}</td>", known.column.title,
                       decimals(value(*known.measure)));
  }
  return row + "</tr>\n";
}

std::string table_of_classes(const Assessment& assessment, const std::vector<KnownColumn>& columns,
                             const std::vector<std::size_t>& classes) {
  std::string titles;
  for (const KnownColumn& known : columns) titles += fmt::format("<th>{}</th>", known.column.title);
  std::string rows;
  for (const std::size_t k : classes) {
    rows += value_row(assessment.names[k], columns,
                      [&](const ClasswiseMeasure& m) { return m.values[k]; });
  }
  rows += value_row("mean of all", columns, [](const ClasswiseMeasure& m) { return m.macro; });
  return "<table class=\"cards\"><thead><tr><th>class</th>" + titles + "</tr></thead>\n<tbody>\n" +
         rows + "</tbody></table>\n";
}

struct ConfusedPair {
  std::size_t truth;
  std::size_t predicted;
  double samples;
};

std::vector<ConfusedPair> confused_pairs(const Assessment& assessment) {
  std::vector<ConfusedPair> pairs;
  for (std::size_t r = 0; r < assessment.confusion.size(); ++r) {
    for (std::size_t c = 0; c < assessment.confusion.size(); ++c) {
      const double count = assessment.confusion[r][c];
      if (r != c && count > 0.0) pairs.push_back({r, c, count});
    }
  }
  std::ranges::stable_sort(pairs, std::ranges::greater{}, &ConfusedPair::samples);
  return pairs;
}

/// The most confused pairs, if there are many classes.
std::string table_of_pairs(const Assessment& assessment) {
  if (assessment.names.size() <= few_classes || assessment.confusion.empty()) return "";
  const std::vector<ConfusedPair> pairs = confused_pairs(assessment);
  if (pairs.empty()) return "<p>All samples were classified correctly.</p>\n";
  double wrong = 0.0;
  for (const ConfusedPair& pair : pairs) wrong += pair.samples;
  std::string rows;
  for (std::size_t k = 0; k < std::min(pairs.size(), shown_pairs); ++k) {
    const std::vector<double>& row = assessment.confusion[pairs[k].truth];
    rows += fmt::format(
        "<tr><th scope=\"row\">{}</th><td data-label=\"taken for\">{}</td><td "
        "data-label=\"samples\">{:.0f} of {:.0f}</td></tr>\n",
        escape(assessment.names[pairs[k].truth]), escape(assessment.names[pairs[k].predicted]),
        pairs[k].samples, std::accumulate(row.begin(), row.end(), 0.0));
  }
  return fmt::format(
      "<h3>Most confused</h3>\n<table class=\"cards\"><thead><tr><th>true class</th><th>taken "
      "for</th><th>samples</th></tr></thead>\n<tbody>\n{}</tbody></table>\n<p class=\"note\">{} of "
      "{} pairs with errors; {:.0f} samples were misclassified.</p>\n",
      rows, std::min(pairs.size(), shown_pairs), pairs.size(), wrong);
}

std::string results_of(const Run& run, const Assessment& assessment) {
  const std::vector<KnownColumn> columns = known_columns(assessment);
  if (columns.empty()) return "";
  const KnownColumn& by = deciding_column(columns);
  std::vector<std::size_t> order = worst_first(by, assessment.names.size());
  const std::string where =
      run.assessments.size() > 1 ? " on " + escape(assessment.data) : std::string();
  const std::string note = "<p class=\"note\">Each class or label against the rest" + where +
                           "; the mean has equal weights.</p>\n";
  if (order.size() <= few_classes) {
    std::ranges::sort(order);
    return table_of_classes(assessment, columns, order) + note;
  }
  const std::vector<std::size_t> worst = imperfect(by, order);
  return table_of_pairs(assessment) +
         fmt::format("<h3>The {} of {} with the worst {}</h3>\n", worst.size(), order.size(),
                     by.column.title) +
         table_of_classes(assessment, columns, worst) + note +
         fmt::format(
             "<details class=\"screen\"><summary>All {}, the worst first</summary>\n{}"
             "</details>\n",
             order.size(), table_of_classes(assessment, columns, order));
}

}  // namespace

std::string class_results(const Run& run) {
  std::string tables;
  for (const Assessment& assessment : run.assessments) {
    if (!assessment.classwise.empty()) tables += results_of(run, assessment);
  }
  return tables;
}

}  // namespace kernmix::report
