#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "json_fields.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {
namespace {

std::string with_interval(const Measure* measure, std::string (*write)(std::optional<double>)) {
  if (measure == nullptr || !measure->value) return "n/a";
  if (!measure->low || !measure->high) return write(measure->value);
  return fmt::format("{} <span class=\"interval\">{} to {}</span>", write(measure->value),
                     write(measure->low), write(measure->high));
}

/// A column of the table of methods.
struct MeasureColumn {
  const char* name;
  const char* title;
  std::string (*write)(std::optional<double>);
};
constexpr std::array<MeasureColumn, 16> kMeasureColumns = {
    {{"accuracy", "accuracy", percent},
     {"subset_accuracy", "all labels right", percent},
     {"hamming_loss", "Hamming loss", decimals},
     {"ranking_loss", "ranking loss", decimals},
     {"mean_auc", "mean AUC", decimals},
     {"mean_average_precision", "mean AP", decimals},
     {"rmse", "RMSE", number},
     {"mae", "MAE", number},
     {"r2", "R\xc2\xb2", decimals},
     {"mean_rmse", "mean RMSE", number},
     {"mean_mae", "mean MAE", number},
     {"mean_r2", "mean R\xc2\xb2", decimals},
     {"outlier_fraction", "called outliers", percent},
     {"auc", "AUC", decimals},
     {"average_precision", "average precision", decimals},
     {"brier_score", "Brier score", decimals}}};

/// The columns that some evaluation has a value for.
std::vector<MeasureColumn> measure_columns(const std::vector<Run>& runs) {
  std::vector<MeasureColumn> columns;
  for (const MeasureColumn& column : kMeasureColumns) {
    const bool known = std::any_of(runs.begin(), runs.end(), [&](const Run& run) {
      return std::any_of(run.assessments.begin(), run.assessments.end(),
                         [&](const Assessment& a) { return a.find(column.name) != nullptr; });
    });
    if (known) columns.push_back(column);
  }
  return columns;
}

/// A cell that says itself what it is, for narrow screens.
std::string cell(const char* label, const std::string& html) {
  return fmt::format("<td data-label=\"{}\">{}</td>", label, html);
}

std::string method_row(const Run& run, const Assessment* assessment, bool several_data,
                       const std::vector<MeasureColumn>& columns) {
  std::string row = "<tr><th scope=\"row\">" + escape(run.name) + "</th>";
  if (several_data) row += cell("data", escape(assessment == nullptr ? "" : assessment->data));
  for (const MeasureColumn& column : columns) {
    const Measure* const measure = assessment == nullptr ? nullptr : assessment->find(column.name);
    row += cell(column.title, with_interval(measure, column.write));
  }
  row += cell("kernels used", fmt::format("{} of {}", run.kernels_used(), run.weights.size()));
  row += cell("support vectors", number(run.value("n_support")));
  row += cell("relative gap", number(run.value("relative_gap")));
  row += cell("time", seconds(get_number(member(run.json, "seconds"), "total")));
  return row + "</tr>\n";
}

/// Where the samples were not a set apart.
std::string held_out_sentence(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    for (const Assessment& assessment : run.assessments) {
      if (assessment.held_out.empty()) continue;
      return fmt::format(
          "  Metrics are the expected performance on new samples, estimated by {}: the selection "
          "was repeated without the test samples. AUC is the mean over the folds; curves rank "
          "samples within their fold.",
          escape(assessment.held_out));
    }
  }
  return "";
}

}  // namespace

std::string method_table(const std::vector<Run>& runs) {
  const bool several_data = std::any_of(runs.begin(), runs.end(),
                                        [](const Run& run) { return run.assessments.size() > 1; });
  const std::vector<MeasureColumn> columns = measure_columns(runs);
  std::string titles;
  for (const MeasureColumn& column : columns)
    titles += std::string("<th>") + column.title + "</th>";
  std::string rows;
  for (const Run& run : runs) {
    if (run.assessments.empty()) rows += method_row(run, nullptr, several_data, columns);
    for (const Assessment& assessment : run.assessments) {
      rows += method_row(run, &assessment, several_data, columns);
    }
  }
  return "<div class=\"scroll\"><table class=\"cards numbers\"><thead><tr><th>method</th>" +
         std::string(several_data ? "<th>data</th>" : "") + titles +
         "<th>kernels used</th><th>support vectors</th>"
         "<th>relative gap</th><th>time</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table></div>\n<p class=\"note\">" +
         (titles.empty() ? "" : "Small figures are 95 % intervals. ") +
         "The relative gap bounds the distance of the objective from the optimum" +
         (std::ranges::any_of(runs, &Run::is_product) ? "; for a product, at its weights." : ".") +
         held_out_sentence(runs) + "</p>\n";
}

}  // namespace kernmix::report
