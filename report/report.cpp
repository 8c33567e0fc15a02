#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "figures.hpp"
#include "json_fields.hpp"
#include "run.hpp"
#include "style.hpp"
#include "tables.hpp"
#include "text.hpp"

namespace kernmix::report {

namespace {

std::string warning_items(const Run& run) {
  std::string items;
  if (!run.json.contains("warnings")) return items;
  for (const nlohmann::json& warning : run.json["warnings"]) {
    const std::string message = get_text(warning, "message");
    if (message.empty()) continue;
    items += fmt::format("<li>{} <code>{}</code></li>\n", escape(message),
                         escape(get_text(warning, "code")));
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

void add_run(Page& page, const Run& run, const ViewColors& colors) {
  page.add("<section>\n<h2>" + escape(run.name) + "</h2>\n");
  page.add(kernel_weights(run, colors));
  page.add(weight_table(run));
  page.add(class_results(run));
  page.add(ranking_curves(run));
  page.add(confusions(run));
  page.add(reliability(run));
  page.add(predicted_numbers(run));
  page.add(decision_values(run));
  page.add(kernel_similarity(run));
  page.add(task_weights(run));
  page.add("</section>\n");
}

std::string subtitle(const Run& run) {
  const nlohmann::json& data = member(run.json, "data");
  const double left_out = get_number(data, "unmatched").value_or(0.0);
  return fmt::format(
      "{}: {} samples{}, {} kernels, kernmix {}", escape(get_text(data, "files")),
      number(run.value("n_samples")),
      left_out > 0.0 ? fmt::format(" ({} left out: not in every file)", number(left_out)) : "",
      run.weights.size(), escape(get_text(run.json, "version")));
}

/// What matters, of all runs.
void add_overview(Page& page, const std::vector<Run>& runs, const ViewColors& colors) {
  page.add("<section>\n<h2>Methods</h2>\n" + method_table(runs) + paired_table(runs));
  page.add(view_shares(runs, colors));
  page.add(roc_comparison(runs));
  page.add("</section>\n");
}

/// How the answers were computed and proved: for those who ask.
void add_proofs(Page& page, const std::vector<Run>& runs,
                const std::vector<nlohmann::json>& searches) {
  page.add("<section>\n<h2>How it was computed</h2>\n");
  for (const Run& run : runs) {
    if (runs.size() > 1) page.add("<h3>" + escape(run.name) + "</h3>\n");
    page.add(certificate(run));
    page.add(bounds(run));
    page.add(weight_evolution(run));
    page.add(settings(run));
  }
  page.add(convergence(runs));
  page.add(trace_curves(runs));
  for (const nlohmann::json& search : searches) page.add(search_path(read_search(search)));
  page.add("</section>\n");
}

}  // namespace

}  // namespace kernmix::report

namespace kernmix {

std::string render_report(const nlohmann::json& runs_json,
                          const std::vector<nlohmann::json>& evaluations,
                          const ReportSupplements& supplements) {
  using report::Run;
  const std::vector<Run> runs = report::read_runs(runs_json, evaluations, supplements.stabilities);
  for (const nlohmann::json& search : supplements.searches) {
    report::require_same_files(runs, search);
  }
  const report::ViewColors colors(runs);
  report::Page page;
  page.add(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>kernmix report</title>\n<style>\n" +
      std::string(report::style_sheet) +
      "</style>\n</head>\n<body>\n<header><h1>Multiple kernel learning report</h1>\n<p>" +
      report::subtitle(runs.front()) + "</p></header>\n<main>\n" + report::answer(runs) +
      report::warnings(runs));
  report::add_overview(page, runs, colors);
  for (const Run& run : runs) report::add_run(page, run, colors);
  report::add_proofs(page, runs, supplements.searches);
  page.add(report::provenance(runs) + "</main>\n</body>\n</html>\n");
  return page.html();
}

}  // namespace kernmix
