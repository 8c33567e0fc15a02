#include <fmt/format.h>

#include <memory>

#include "base/text.hpp"
#include "command.hpp"
#include "compare/methods.hpp"
#include "expected.hpp"
#include "fingerprint.hpp"
#include "fold_options.hpp"
#include "journal.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/grid.hpp"
#include "kernmix/selection/search.hpp"
#include "model/settings/number_text.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"
#include "tune/arguments.hpp"
#include "tune/findings.hpp"
#include "tune/fit_line.hpp"
#include "tune/parts.hpp"

namespace kernmix::cli {
namespace {

const HelpText kTuneHelp = {
    "tune", "Choose C and other options by cross-validation, then train on all samples.",
    "DATA... --label COL --grid KEY=VALUES... -o MODEL.kmx [OPTIONS]",
    "  kernmix tune train.csv --label y -o model.kmx\n"
    "  kernmix tune train.csv --label y --regularizer lp --grid C=0.01..100*10 --grid p=1.1,1.5,2 "
    "\\\n"
    "      --score auc --nested 5 --json tune.json -o model.kmx\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --journal tune.jsonl -o model.kmx\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --part 2/4 --journal part2.jsonl\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --gather part*.jsonl -o model.kmx\n",
    "The score of the winner is the best of many and therefore optimistic: --nested estimates "
    "the\nperformance on new samples. Kernels are computed once for each fold. Guide: "
    "docs/how-to/tune.md."};

/// Everything that a search needs.
struct TuneTask {
  TrainOptions options;
  Dataset data;
  ComparedMethod method;
  ChosenFolds folds;
  std::vector<NestedFold> nested;  ///< of --nested
  SearchRules rules;
  std::uint64_t run = 0;  ///< its fingerprint, where a journal needs it

  [[nodiscard]] std::vector<SearchUnit> units() const {
    return search_units(method.candidates, length(folds.folds), nested);
  }
  [[nodiscard]] SearchSize size() const {
    return size_of_search(data, method.candidates, folds.folds, nested);
  }
};

/// Where none is given.
const std::vector<std::string> kDefaultGrid = {"C=0.01..100*10"};

/// One method with all candidates.
ComparedMethod tuned_method(const TuneArguments& a, const TrainOptions& options,
                            const Dataset* data) {
  const std::vector<GridAxis> grid = parse_grid(a.grid.empty() ? kDefaultGrid : a.grid);
  const auto written = a.train.settings.find("regularizer");
  const bool named = written != a.train.settings.end();
  for (const GridAxis& axis : grid) {
    const auto why = refusal_of_axis(axis.key, named ? written->second.front() : "l1");
    if (why) throw ParameterError(fmt::format("--grid: {} {}", in_quotes(axis.key), *why));
  }
  try {
    return {"tune", grid_candidates({a.train, options, data}, {}, grid)};
  } catch (const ParameterError& error) {
    throw ParameterError(fmt::format("--grid{}", error.what()));
  }
}

/// The arguments with a regularizer that can be read before a grid gave its parameters.
TrainArguments without_parameters(TrainArguments arguments) {
  try {
    (void)options_of(arguments.settings);
  } catch (const ParameterError&) {
    arguments.settings.erase("regularizer");
  }
  return arguments;
}

SearchRules rules_of(const TuneArguments& a, const TuneTask& task) {
  SearchRules rules;
  rules.score =
      score_rule(a.score.empty() ? default_score(task.data.table, task.options) : a.score);
  rules.all = a.all_cells || !a.part.empty() || !a.gather.empty();
  rules.choice = parse_choice(a.choose);
  return rules;
}

/// Of options and of what was read, whatever file or pipe it came from.
std::uint64_t fingerprint_of(const CLI::App& app, const TuneTask& task, const Context& context) {
  ContentHash content;
  content.add(task.data, context);
  content.add(task.options.sample_weights);
  content.add(task.options.groups);
  content.add(task.folds.folds);
  for (const NestedFold& fold : task.nested) {
    content.add(std::vector<Fold>{fold.outer});
    content.add(fold.inner);
  }
  content.add(task.rules.tries_all() ? "all cells" : "");
  return run_fingerprint(app, content);
}

TuneTask read_task(const TuneArguments& a, const CLI::App& app, const Context& context) {
  TuneTask task;
  task.options = train_options(without_parameters(a.train));
  check_inlier(a.train, task.options);
  (void)tuned_method(a, task.options, nullptr);  // what can be refused before a file is read
  const auto column = read_fold_column(a.folds, a.train.data, context);
  task.data = read_training_data(a.train, context, task.options, a.folds);
  complete_options(task.data, task.options);
  task.method = tuned_method(a, task.options, &task.data);
  task.folds = choose_folds(a.folds, column, task.data, task.options, context);
  if (!a.nested.empty()) {
    task.nested = nested_folds(task.data, task.options, whole_number("--nested", a.nested, 2),
                               fold_numbers_asked(a.folds, context), context);
  }
  task.rules = rules_of(a, task);
  if (!a.journal.empty() || !a.gather.empty()) task.run = fingerprint_of(app, task, context);
  return task;
}

/// A search with its nested one; `finished` of an earlier run.
struct TuneRun {
  Search search;
  NestedSearch nested;
  [[nodiscard]] bool complete() const { return search.complete && nested.complete; }
};

TuneRun run_searches(const TuneTask& task, const SearchRules& rules,
                     const std::vector<SearchedFit>& finished, const KeepFit& keep,
                     const Context& context) {
  TuneRun run;
  run.search =
      search(task.data, task.method.candidates, task.folds.folds, rules, finished, keep, context);
  if (!rules.only && !run.search.chosen) return run;
  run.nested =
      nested_search(task.data, task.method.candidates, task.nested, rules, finished, keep, context);
  return run;
}

int run_part(const TuneArguments& a, const TuneTask& task, ProgressLine& progress,
             const Context& context) {
  const SearchPart part = parse_part(a.part);
  SearchRules rules = task.rules;
  rules.only = units_of(part, task.units());
  Journal journal(a.journal, {"tune", task.run, part.text()}, context);
  const std::vector<SearchedFit> finished = fits_of_journal(journal.text(), task.size());
  std::size_t done = finished.size();
  const TuneRun run = run_searches(
      task, rules, finished,
      [&](const SearchedFit& fit) {
        journal.add(kFitRecord, fit_fields(fit));
        ++done;
      },
      context);
  progress.erase();
  const std::size_t all = places_of_units(*rules.only, task.method.candidates).size();
  write_stdout(fmt::format("part {}: {} of {} models are in {}; {}\n", part.text(), done, all,
                           a.journal,
                           run.complete() ? "when all parts are done, give their journals to "
                                            "--gather"
                                          : "run it again to resume"));
  return run.complete() ? kDone : kStoppedEarly;
}

TuneRun run_whole(const TuneArguments& a, const TuneTask& task, const Context& context) {
  if (!a.gather.empty()) {
    const std::vector<SearchedFit> finished = gather_parts(
        a.gather, {task.run, task.units(), task.method.candidates, task.size()}, context);
    return run_searches(task, task.rules, finished, nullptr, context);
  }
  Journal journal(a.journal, {"tune", task.run}, context);
  const std::vector<SearchedFit> finished = fits_of_journal(journal.text(), task.size());
  return run_searches(
      task, task.rules, finished,
      [&](const SearchedFit& fit) { journal.add(kFitRecord, fit_fields(fit)); }, context);
}

/// \param in_time  false where time did not suffice
std::optional<Expected> expected_of(const TuneTask& task, const NestedSearch& nested,
                                    const Context& context, bool& in_time) {
  if (task.nested.empty() || !nested.complete) return std::nullopt;
  const CrossValidation winners =
      predict_nested(task.data, task.method.candidates, task.nested, nested, context);
  in_time = winners.complete;
  return expected_performance(winners, 0, task.data, outer_folds(task.nested), task.options.groups);
}

int run_tune(const TuneArguments& a, const CLI::App& app) {
  check_tune_arguments(a);
  ProgressLine progress(!a.train.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.train.common, progress, log);
  const TuneTask task = read_task(a, app, context);
  if (!a.part.empty()) return run_part(a, task, progress, context);
  TuneRun run = run_whole(a, task, context);
  require_choice(run.search, task.rules.score, ", and --journal keeps what is finished");
  Tuned tuned{task.method, task.folds, task.rules.score, task.rules.choice, {}, {}, {}, {}};
  tuned.search = std::move(run.search);
  tuned.nested = std::move(run.nested);
  bool predicted = true;
  tuned.expected = expected_of(task, tuned.nested, context, predicted);
  tuned.remarks = tune_remarks(tuned, a);
  const TrainResult result =
      train(task.data, tuned.candidate(*tuned.search.chosen).options, context);
  save_model(result.model, a.train.output);
  progress.erase();
  Json document = tune_json(a, tuned);
  add_data_facts(task.data.table, document);
  emit(tune_text(tuned) +
           fmt::format("\nThe {}, trained on all samples: {} ({}, relative gap {:.1e})\n",
                       tuned.choice == Choice::best ? "best" : "chosen one", a.train.output,
                       status_name(result.status), result.model.certificate.relative_gap()),
       document, a.train.common.json);
  std::vector<Warning> warnings = result.warnings;
  if (tuned.expected) {
    for (Warning& one : expected_warnings(*tuned.expected, "")) warnings.push_back(std::move(one));
  }
  if (!a.train.common.quiet) write_message(warning_lines(warnings));
  const bool complete = tuned.search.complete && tuned.nested.complete && predicted;
  return complete && result.status == Status::converged ? kDone : kStoppedEarly;
}

void add_search_options(CLI::App& app, TuneArguments& a) {
  OptionGroup grid(app, "Search");
  grid.values("--grid", a.grid, "KEY=VALUES",
              "An option or a parameter of the regularizer, and its values: 0.1,1,10 or "
              "0.01..100*10 (steps of a factor of ten); may be repeated, and all combinations are "
              "tried [default: C=0.01..100*10]");
  grid.value(
      "--score", a.score, "METRIC",
      "Metric that selects [default: accuracy, r2, mean_r2, macro_average_precision of labels]");
  grid.value("--choose", a.choose, "RULE",
             "best, or one-se: the simplest within one standard error of the best (the smallest C, "
             "then the fewest kernels); it tries all candidates");
  grid.value(
      "--nested", a.nested, "K",
      "Repeat the search inside each of K outer folds to estimate the performance on new samples");
  grid.toggle("--all-cells", a.all_cells,
              "Try every candidate on every fold, even if it can no longer win");
  grid.value("--journal", a.journal, "FILE",
             "Write each finished model to this file; an interrupted run resumes from it");
  OptionGroup parts(app, "On a cluster");
  parts.value(
      "--part", a.part, "K/N",
      "Compute the K-th of N parts of the search with --all-cells, and write only --journal");
  parts.list("--gather", a.gather, "FILES",
             "Combine the journals of all parts, like one run with --all-cells");
}

}  // namespace

Command make_tune(CLI::App& root) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App& app = add_command(root, kTuneHelp);
  add_data_options(app, arguments->train.data,
                   "Column with the labels: classes, or numbers for a loss of regression");
  add_search_options(app, *arguments);
  add_inlier_option(app, arguments->train.data);
  add_fold_options(app, arguments->folds);
  add_learning_options(app, arguments->train);
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->train.output, "MODEL.kmx",
             "Model file to write (required except with --part)");
  add_common_options(app, arguments->train.common);
  return {&app, &arguments->train.common.config,
          [arguments, &app] { return run_tune(*arguments, app); }};
}

}  // namespace kernmix::cli
