#include "report/report.hpp"

#include <memory>

#include "command.hpp"
#include "json_file.hpp"
#include "options.hpp"
#include "output.hpp"

namespace kernmix::cli {
namespace {

struct ReportArguments {
  std::vector<std::string> runs;
  std::vector<std::string> evaluations;
  std::vector<std::string> stabilities;
  std::vector<std::string> searches;
  std::string output;
  CommonArguments common;
};

const HelpText kReportHelp = {
    "report", "Write one self-contained HTML page from the JSON of training runs.",
    "RUN.json... -o REPORT.html [OPTIONS]",
    "  kernmix report run.json -o report.html\n"
    "  kernmix report run.json --evaluation evaluation.json -o report.html\n"
    "  kernmix report l1.json lp.json --evaluation l1_test.json --evaluation lp_test.json \\\n"
    "      -o report.html\n",
    "kernmix train --json writes RUN.json, kernmix auto run.json, and kernmix evaluate --json the\n"
    "evaluations. For settings that kernmix tune selected, train with them. An evaluation belongs\n"
    "to the run that wrote its model. Each figure can be saved as SVG, and its\n"
    "numbers as CSV. The page loads nothing from the network."};

std::vector<nlohmann::json> read_results(const std::vector<std::string>& files,
                                         const std::string& command, const Context& context) {
  std::vector<nlohmann::json> documents;
  for (const std::string& file : files) documents.push_back(read_result(file, command, context));
  return documents;
}

int run_report(const ReportArguments& a) {
  require(!a.runs.empty(), "RUN.json", "name the file that kernmix train --json wrote");
  require(!a.output.empty(), "-o", "name the HTML file to write");
  const Context context = limits_of(a.common);
  const nlohmann::json runs = read_results(a.runs, "train", context);
  const ReportSupplements supplements{read_results(a.stabilities, "stability", context),
                                      read_results(a.searches, "tune", context)};
  write_text(a.output,
             render_report(runs, read_results(a.evaluations, "evaluate", context), supplements));
  return kDone;
}

}  // namespace

Command make_report(CLI::App& root) {
  const auto arguments = std::make_shared<ReportArguments>();
  CLI::App& app = add_command(root, kReportHelp);
  OptionGroup data(app, "Data");
  data.values("RUN", arguments->runs, reads("RUN.json..."),
              "Runs of kernmix train --json, or run.json of kernmix auto");
  data.values("--evaluation", arguments->evaluations, reads("FILE"),
              "Result of kernmix evaluate --json; may be repeated");
  data.values("--stability", arguments->stabilities, reads("FILE"),
              "Result of kernmix stability --json, for intervals of the weights; may be repeated");
  data.values("--search", arguments->searches, reads("FILE"),
              "Result of kernmix tune --json, for the figure of the score over C; may be repeated");
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->output, writes("REPORT.html"),
             "Page to write; - is standard output (required)");
  add_limit_options(app, arguments->common);
  OptionGroup(app, "General")
      .value("--config", arguments->common.config, reads("FILE.toml"),
             "Read options from a TOML file; options on the command line take precedence");
  return {&app, &arguments->common.config, [arguments] { return run_report(*arguments); }};
}

}  // namespace kernmix::cli
