#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
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

std::string cell(const std::string& html) { return "<td>" + html + "</td>"; }

std::string method_row(const Run& run, const Assessment* assessment, bool several_data) {
  const auto measure = [&](const char* name) {
    return assessment == nullptr ? nullptr : assessment->find(name);
  };
  std::string row = "<tr><th scope=\"row\">" + escape(run.name) + "</th>";
  if (several_data) row += cell(escape(assessment == nullptr ? "" : assessment->data));
  row += cell(with_interval(measure("accuracy"), report::percent));
  row += cell(with_interval(measure("auc"), report::decimals));
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
  std::string rows;
  for (const Run& run : runs) {
    if (run.assessments.empty()) rows += method_row(run, nullptr, several_data);
    for (const Assessment& assessment : run.assessments) {
      rows += method_row(run, &assessment, several_data);
    }
  }
  return "<div class=\"scroll\"><table><thead><tr><th>method</th>" +
         std::string(several_data ? "<th>data</th>" : "") +
         "<th>accuracy</th><th>AUC</th><th>kernels used</th><th>support vectors</th>"
         "<th>relative gap</th><th>time</th></tr></thead>\n<tbody>\n" +
         rows +
         "</tbody></table></div>\n<p class=\"note\">Small figures are 95 % intervals. The relative "
         "gap bounds how far the objective is from the best possible one.</p>\n";
}

/// What the certificate says, in one sentence that needs no optimisation theory.
std::string certificate_sentence(const Run& run) {
  const auto gap = run.value("relative_gap");
  if (!gap) return "This run has no certificate.";
  return fmt::format(
      "No classifier and no weights that this regularizer allows can lower the objective by more "
      "than <strong>{}</strong> of its value: the optimum lies between {} and {}.",
      report::percent(gap), report::precise(run.value("dual")),
      report::precise(run.value("primal")));
}

std::string certificate_box(const Run& run) {
  const std::string status = report::get_text(run.json, "status");
  const bool good = status == "converged";
  return fmt::format(
      "<div class=\"certificate {}\"><p>{}</p><p class=\"note\">Status: {}; tolerance {}; of the "
      "gap "
      "{}, a better classifier for these weights could close {}, better weights {}.</p></div>\n",
      good ? "good" : "open", certificate_sentence(run), escape(status),
      report::number(run.value("tolerance")), report::number(run.value("gap")),
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
         report::kernel_weights(run) + report::bounds(run) + details(run) + "</section>\n";
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
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
         "<title>kernmix report</title>\n<style>\n" +
         std::string(report::style_sheet) +
         "</style>\n</head>\n<body>\n<header><h1>Multiple kernel learning report</h1>\n<p>" +
         subtitle(runs.front()) + "</p></header>\n<main>\n<section>\n<h2>Methods</h2>\n" +
         method_table(runs) + report::view_shares(runs) + report::roc_curves(runs) +
         report::convergence(runs) + "</section>\n" + sections + "</main>\n</body>\n</html>\n";
}

}  // namespace kernmix
