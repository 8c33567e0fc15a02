#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "command_files.hpp"
#include "compare/experiment.hpp"
#include "compare/presentation.hpp"
#include "compare/split_line.hpp"
#include "fingerprint.hpp"
#include "journal.hpp"
#include "kernmix/error.hpp"
#include "layout.hpp"
#include "model/solving/stopwatch.hpp"
#include "options.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

struct CompareArguments {
  CommonArguments common;
  std::string experiment;
  std::string journal;
  std::string csv;
  std::string latex;
  std::string figure;
  bool seed_given = false;
};

const HelpText kCompareHelp = {
    "compare", "Compare methods on splits of data sets, as a TOML file specifies.",
    "EXPERIMENT.toml [OPTIONS]",
    "  kernmix compare experiment.toml\n"
    "  kernmix compare experiment.toml --journal run.jsonl --csv results.csv --latex table.tex\n"
    "  kernmix compare experiment.toml --figure ranks.svg --json results.json\n",
    "An EXPERIMENT.toml, whose keys are options of kernmix train, and of kernmix cv for the "
    "splits:\n"
    "  [experiment]\n"
    "  score = \"auc\"\n"
    "  folds = 5\n"
    "  grid = {C = [0.1, 1, 10]}\n"
    "  [[data]]\n"
    "  name = \"heart\"\n"
    "  files = \"heart.csv\"\n"
    "  label = \"y\"\n"
    "  [[method]]\n"
    "  name = \"p-norm\"\n"
    "  regularizer = \"lp\"\n"
    "  grid = {C = [0.1, 1, 10], p = [1.1, 1.5, 2]}\n\n"
    "Tables [[data]] and [[method]] may be repeated. A point of each grid is selected by\n"
    "cross-validation inside the training part. The average kernel and the best single kernel are\n"
    "methods, too, unless the experiment has baselines = false. Exit code 5: stopped early;\n"
    "finished results were written."};

/// Checks before the computation whether the figure is possible.
void check_figure(const CompareArguments& a, const Experiment& experiment) {
  if (a.figure.empty() || (experiment.data.size() > 1 && experiment.methods().size() > 1)) return;
  throw ParameterError(
      fmt::format("--figure shows ranks over data sets: it needs two data sets and two methods, "
                  "there are {} and {}",
                  experiment.data.size(), experiment.methods().size()));
}

void write_comparison(const CompareArguments& a, const ComparisonResult& result) {
  if (!a.csv.empty()) write_text(a.csv, comparison_csv(result));
  if (!a.latex.empty()) write_text(a.latex, comparison_latex(result));
  const ScoreSummary& first = result.summary.scores.front();
  if (!a.figure.empty() && first.critical_difference) {
    write_text(a.figure, critical_difference_svg(first, result.summary.methods));
  } else if (!a.figure.empty()) {
    write_message(
        "kernmix: --figure: fewer than two data sets are finished, so no figure is written\n");
  }
  Json document = comparison_json(result);
  for (const ComparedData& data : result.experiment.data) {
    add_data_facts(data.data, document["read"][data.name]);
  }
  emit(comparison_text(result), document, a.common.json);
}

std::vector<ComparedSplit> run_splits(const Experiment& experiment, Journal& journal,
                                      const Context& context) {
  std::vector<ComparedSplit> finished =
      splits_of_journal(journal.text(), size_of_comparison(experiment.data, experiment.rules));
  return compare(
      experiment.data, experiment.rules, std::move(finished),
      [&](const ComparedSplit& split) { journal.add(kSplitRecord, split_fields(split)); }, context);
}

/// Fingerprint of the options, the text of the experiment and all data.
std::uint64_t fingerprint_of(const CLI::App& app, const std::string& text,
                             const Experiment& experiment, const Context& context) {
  ContentHash content;
  content.add(text);
  content.add(fmt::format("seed {}", experiment.rules.seed));
  for (const ComparedData& data : experiment.data) {
    content.add(data.data, context);
    content.add(data.splits);
    const TrainOptions& options = data.methods.front().candidates.front().options;
    content.add(options.sample_weights);
    content.add(options.groups);
  }
  return run_fingerprint(app, content);
}

int run_compare(const CompareArguments& a, CLI::App& app) {
  const Stopwatch clock;
  require(!a.experiment.empty(), "EXPERIMENT", "name the TOML file with the experiment");
  ProgressLine progress(!a.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.common, progress, log);
  const TomlText file = read_toml_text("EXPERIMENT", a.experiment, context);
  check_names(files_of(app).outputs, files_of_experiment(file, context));
  const Experiment experiment = read_experiment(file, a.seed_given ? a.common.seed : "", context);
  check_figure(a, experiment);
  const std::uint64_t run =
      a.journal.empty() ? 0 : fingerprint_of(app, file.text, experiment, context);
  Journal journal(a.journal, {"compare", run}, context);
  const std::vector<ComparedSplit> splits = run_splits(experiment, journal, context);
  progress.erase();
  if (splits.empty()) {
    throw ResourceError(
        "stopped before any split was finished: there is nothing to compare; "
        "allow more time");
  }
  const ComparisonSummary summary = summarize(experiment.data, experiment.rules, splits);
  write_comparison(a, {experiment, splits, summary, clock.seconds()});
  return summary.complete() ? kDone : kStoppedEarly;
}

}  // namespace

Command make_compare(CLI::App& root) {
  const auto arguments = std::make_shared<CompareArguments>();
  CLI::App& app = add_command(root, kCompareHelp);
  OptionGroup input(app, "Experiment");
  input.value("EXPERIMENT", arguments->experiment, reads("FILE.toml"),
              "File that specifies data sets, methods and splits");
  input.value("--journal", arguments->journal, writes("FILE"),
              "Write each finished split to this file; an interrupted run resumes from it");
  OptionGroup output(app, "Output");
  output.value("--csv", arguments->csv, writes("FILE"),
               "A line for each data set, split and method");
  output.value("--latex", arguments->latex, writes("FILE"), "A table of each score, for booktabs");
  output.value("--figure", arguments->figure, writes("FILE.svg"),
               "Average ranks with the critical difference, of the first score");
  add_common_options(app, arguments->common, kAnswersSoFar);
  return {&app, &arguments->common.config, [arguments, &app] {
            arguments->seed_given = app.count("--seed") > 0;
            return run_compare(*arguments, app);
          }};
}

}  // namespace kernmix::cli
