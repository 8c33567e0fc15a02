#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "figures.hpp"
#include "run.hpp"
#include "style.hpp"
#include "text.hpp"

namespace kernmix {

namespace {

using nlohmann::json;
using report::Assessment;
using report::escape;
using report::Measure;
using report::Run;

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
constexpr std::array<MeasureColumn, 14> kMeasureColumns = {
    {{"accuracy", "accuracy", report::percent},
     {"subset_accuracy", "all labels right", report::percent},
     {"hamming_loss", "Hamming loss", report::decimals},
     {"ranking_loss", "ranking loss", report::decimals},
     {"mean_auc", "mean AUC", report::decimals},
     {"mean_average_precision", "mean AP", report::decimals},
     {"rmse", "RMSE", report::number},
     {"mae", "MAE", report::number},
     {"r2", "R\xc2\xb2", report::decimals},
     {"mean_rmse", "mean RMSE", report::number},
     {"mean_mae", "mean MAE", report::number},
     {"mean_r2", "mean R\xc2\xb2", report::decimals},
     {"outlier_fraction", "called outliers", report::percent},
     {"auc", "AUC", report::decimals}}};

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

std::string cell(const std::string& html) { return "<td>" + html + "</td>"; }

std::string method_row(const Run& run, const Assessment* assessment, bool several_data,
                       const std::vector<MeasureColumn>& columns) {
  std::string row = "<tr><th scope=\"row\">" + escape(run.name) + "</th>";
  if (several_data) row += cell(escape(assessment == nullptr ? "" : assessment->data));
  for (const MeasureColumn& column : columns) {
    const Measure* const measure = assessment == nullptr ? nullptr : assessment->find(column.name);
    row += cell(with_interval(measure, column.write));
  }
  row += cell(fmt::format("{} of {}", run.kernels_used(), run.weights.size()));
  row += cell(report::number(run.value("n_support")));
  row += cell(report::number(run.value("relative_gap")));
  const json empty = json::object();
  row += cell(report::seconds(
      report::get_number(run.json.contains("seconds") ? run.json["seconds"] : empty, "total")));
  return row + "</tr>\n";
}

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
  return "<div class=\"scroll\"><table><thead><tr><th>method</th>" +
         std::string(several_data ? "<th>data</th>" : "") + titles +
         "<th>kernels used</th><th>support vectors</th>"
         "<th>relative gap</th><th>time</th></tr></thead>\n<tbody>\n" +
         rows +
         "</tbody></table></div>\n<p class=\"note\">Small figures are 95 % intervals. The relative "
         "gap bounds how far the objective is from the best possible one.</p>\n";
}

std::string warning_items(const Run& run) {
  std::string items;
  if (!run.json.contains("warnings")) return items;
  for (const json& warning : run.json["warnings"]) {
    const std::string message = report::get_text(warning, "message");
    if (message.empty()) continue;
    items += fmt::format("<li>{} <code>{}</code></li>\n", escape(message),
                         escape(report::get_text(warning, "code")));
  }
  return items;
}

/// What training warned of, before any result.
std::string warnings(const std::vector<Run>& runs) {
  std::string boxes;
  for (const Run& run : runs) {
    const std::string items = warning_items(run);
    if (items.empty()) continue;
    boxes += fmt::format(
        "<div class=\"warnings\"><p><strong>Warnings{}</strong></p><ul>\n{}</ul></div>\n",
        runs.size() > 1 ? " of " + escape(run.name) : "", items);
  }
  return boxes;
}

std::string predictor_name(const Run& run) {
  const std::string target = report::get_text(run.json, "target");
  if (target == "numbers") {
    return run.tasks.empty() ? "regression function" : "set of regression functions";
  }
  if (target == "none") return "novelty detector";
  return run.tasks.empty() ? "classifier" : "set of classifiers";
}

/// What the certificate says, in one sentence that needs no optimisation theory.
std::string certificate_sentence(const Run& run, const std::string& predictor) {
  const auto gap = run.value("relative_gap");
  if (!gap) return "This run has no certificate.";
  return fmt::format(
      "No {} and no weights that this regularizer allows can lower the objective by more "
      "than <strong>{}</strong> of its value: the optimum lies between {} and {}.",
      predictor, report::percent(gap), report::precise(run.value("dual")),
      report::precise(run.value("primal")));
}

std::string certificate_box(const Run& run) {
  const std::string status = report::get_text(run.json, "status");
  const std::string predictor = predictor_name(run);
  const bool good = status == "converged";
  return fmt::format(
      "<div class=\"certificate {}\"><p>{}</p><p class=\"note\">Status: {}; tolerance {}; of the "
      "gap "
      "{}, a better {} for these weights could close {}, better weights {}.</p></div>\n",
      good ? "good" : "open", certificate_sentence(run, predictor), escape(status),
      report::number(run.value("tolerance")), report::number(run.value("gap")), predictor,
      report::number(run.value("inner_gap")), report::number(run.value("outer_gap")));
}

void append_rows(std::string& rows, const json& object) {
  if (!object.is_object()) return;
  for (const auto& [key, value] : object.items()) {
    const std::string text = report::get_text(object, key);
    if (text.empty()) continue;
    rows += "<tr><th scope=\"row\">" + escape(key) + "</th><td>" + escape(text) + "</td></tr>\n";
  }
}

std::string details(const Run& run) {
  std::string rows;
  for (const char* key : {"data", "classes", "settings"}) {
    if (run.json.contains(key)) append_rows(rows, run.json[key]);
  }
  if (run.json.contains("seconds")) {
    for (const auto& [key, value] : run.json["seconds"].items()) {
      rows += fmt::format("<tr><th scope=\"row\">seconds: {}</th><td>{}</td></tr>\n", escape(key),
                          report::number(report::get_number(run.json["seconds"], key)));
    }
  }
  rows += fmt::format("<tr><th scope=\"row\">peak memory</th><td>{}</td></tr>\n",
                      report::bytes(run.value("peak_memory_bytes")));
  return "<details><summary>Data and settings of " + escape(run.name) +
         "</summary><table class=\"plain\"><tbody>\n" + rows + "</tbody></table></details>\n";
}

std::string run_section(const Run& run) {
  return "<section>\n<h2>" + escape(run.name) + "</h2>\n" + certificate_box(run) +
         report::class_results(run) + report::confusions(run) + report::kernel_weights(run) +
         report::task_weights(run) + report::predicted_numbers(run) + report::decision_values(run) +
         report::bounds(run) + report::weight_evolution(run) + details(run) + "</section>\n";
}

std::string subtitle(const Run& run) {
  const json empty = json::object();
  const json& data = run.json.contains("data") ? run.json["data"] : empty;
  return fmt::format("{}: {} samples, {} kernels, kernmix {}",
                     escape(report::get_text(data, "files")),
                     report::number(run.value("n_samples")), run.weights.size(),
                     escape(report::get_text(run.json, "version")));
}

}  // namespace

std::string render_report(const json& runs_json, const std::vector<json>& evaluations) {
  const std::vector<Run> runs = report::read_runs(runs_json, evaluations);
  std::string sections;
  for (const Run& run : runs) sections += run_section(run);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
         "style-src 'unsafe-inline'; img-src data:\"/>\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<title>kernmix report</title>\n<style>\n" +
         std::string(report::style_sheet) +
         "</style>\n</head>\n<body>\n<header><h1>Multiple kernel learning report</h1>\n<p>" +
         subtitle(runs.front()) + "</p></header>\n<main>\n" + warnings(runs) +
         "<section>\n<h2>Methods</h2>\n" + method_table(runs) + report::view_shares(runs) +
         report::roc_curves(runs) + report::convergence(runs) + report::trace_curves(runs) +
         "</section>\n" + sections + "</main>\n</body>\n</html>\n";
}

}  // namespace kernmix
