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
#include "product_text.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"
#include "tune/arguments.hpp"
#include "tune/findings.hpp"
#include "tune/fit_line.hpp"
#include "tune/parts.hpp"
#include "views_text.hpp"

namespace kernmix::cli {
namespace {

const HelpText kTuneHelp = {
    "tune", "Choose C and other options by cross-validation, then train on all samples.",
    "DATA... --label COL -o MODEL.kmx [OPTIONS]",
    "  kernmix tune train.csv --label y -o model.kmx\n"
    "  kernmix tune train.csv --label y --regularizer lp --grid C=0.01..100*10 --grid p=1.1,1.5,2 "
    "\\\n"
    "      --score auc --nested 5 --json tune.json -o model.kmx\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --journal tune.jsonl -o model.kmx\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --part 2/4 --journal part2.jsonl\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --gather part*.jsonl -o model.kmx\n",
    "The score of the winner is the best of many and therefore optimistic: --nested estimates "
    "the\nperformance on new samples. Kernels are computed once for each fold."};

/// The input of a search.
struct TuneTask {
  TrainOptions options;
  Dataset data;
  ComparedMethod method;
  TunePlan plan;
  std::uint64_t run = 0;  ///< its fingerprint, if there is a journal

  [[nodiscard]] std::vector<SearchUnit> units() const {
    return search_units(method.candidates, length(plan.folds.folds), plan.nested_folds);
  }
  [[nodiscard]] SearchSize size() const {
    SearchSize size = size_of_search(data, method.candidates, plan.folds.folds, plan.nested_folds);
    size.score = range_of_score(plan.rules.score.name);
    return size;
  }
};

/// The default grid.
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

/// The arguments with a regularizer that can be parsed without the parameters from the grid.
TrainArguments without_parameters(TrainArguments arguments) {
  try {
    (void)options_of(arguments.settings);
  } catch (const ParameterError&) {
    arguments.settings.erase("regularizer");
  }
  return arguments;
}

TuneOptions asked_of(const TuneArguments& a, const FoldColumn& column, const TuneTask& task,
                     const Context& context) {
  TuneOptions asked;
  asked.folds = fold_rule(a.folds, column, task.data, context);
  if (!a.nested.empty()) asked.nested = whole_number("--nested", a.nested, 2);
  asked.score = a.score;
  asked.rules.all = a.all_cells || !a.part.empty() || !a.gather.empty();
  asked.rules.choice = parse_choice(a.choose);
  return asked;
}

/// Fingerprint of the options and the data.
std::uint64_t fingerprint_of(const CLI::App& app, const TuneTask& task, const Context& context) {
  ContentHash content;
  content.add(task.data, context);
  content.add(task.options.sample_weights);
  content.add(task.options.groups);
  content.add(task.plan.folds.folds);
  for (const NestedFold& fold : task.plan.nested_folds) {
    content.add(std::vector<Fold>{fold.outer});
    content.add(fold.inner);
  }
  content.add(task.plan.rules.tries_all() ? "all cells" : "");
  return run_fingerprint(app, content);
}

TuneTask read_task(const TuneArguments& a, const CLI::App& app, const Context& context) {
  TuneTask task;
  task.options = train_options(without_parameters(a.train));
  check_inlier(a.train, task.options);
  (void)tuned_method(a, task.options, nullptr);  // checks that need no file
  const FoldTexts fold_column = read_fold_column(a.folds, a.train.data, context);
  task.data = read_training_data(a.train, context, task.options, a.folds);
  const auto column = texts_of(fold_column, task.data.table);
  complete_options(task.data, task.options);
  task.method = tuned_method(a, task.options, &task.data);
  TuneOptions asked = asked_of(a, column, task, context);
  asked.candidates = std::move(task.method.candidates);  // a large grid is not held twice
  task.plan = plan_tune(task.data, asked, context);
  task.method.candidates = std::move(asked.candidates);
  if (!a.journal.empty() || !a.gather.empty()) task.run = fingerprint_of(app, task, context);
  return task;
}

int run_part(const TuneArguments& a, const TuneTask& task, ProgressLine& progress,
             const Context& context) {
  const SearchPart part = parse_part(a.part);
  TunePlan plan = task.plan;
  plan.rules.only = units_of(part, task.units());
  Journal journal(a.journal, {"tune", task.run, part.text()}, context);
  TuneJournal models{fits_of_journal(journal.text(), task.size()), nullptr, ""};
  std::size_t done = models.finished.size();
  models.keep = [&](const SearchedFit& fit) {
    journal.add(kFitRecord, fit_fields(fit));
    ++done;
  };
  const bool complete = tune_part(task.data, task.method.candidates, plan, models, context);
  progress.erase();
  const std::size_t all = places_of_units(*plan.rules.only, task.method.candidates).size();
  write_stdout(fmt::format("part {}: {} of {} models are in {}; {}\n", part.text(), done, all,
                           a.journal,
                           complete ? "when all parts are done, give their journals to --gather"
                                    : "run it again to resume"));
  return complete ? kDone : kStoppedEarly;
}

TuneResult run_whole(const TuneArguments& a, const TuneTask& task, const Context& context) {
  TuneJournal models;
  models.hint = ", and --journal keeps what is finished";
  const auto tuned = [&] {
    return tune_train(task.data, task.method.candidates, task.plan, models, context);
  };
  if (!a.gather.empty()) {
    models.finished = gather_parts(
        a.gather, {task.run, task.units(), task.method.candidates, task.size()}, context);
    return tuned();
  }
  Journal journal(a.journal, {"tune", task.run}, context);
  models.finished = fits_of_journal(journal.text(), task.size());
  models.keep = [&](const SearchedFit& fit) { journal.add(kFitRecord, fit_fields(fit)); };
  return tuned();
}

int run_tune(const TuneArguments& a, const CLI::App& app) {
  check_tune_arguments(a);
  ProgressLine progress(!a.train.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.train.common, progress, log);
  const TuneTask task = read_task(a, app, context);
  if (!a.part.empty()) return run_part(a, task, progress, context);
  const TuneResult found = run_whole(a, task, context);
  save_model(found.trained.model, a.train.output);
  progress.erase();
  Tuned tuned{task.method,  found.folds,  found.score,    task.plan.rules.choice,
              found.search, found.nested, found.expected, {}};
  tuned.remarks = tune_remarks(tuned, a);
  Json document = tune_json(a, tuned);
  add_data_facts(task.data, document);
  document.update(product_json(found.trained.model));
  emit(fmt::format("views  {}\n", views_text(task.data)) + tune_text(tuned) +
           fmt::format("\nThe {}, trained on all samples: {} ({}, {})\n",
                       tuned.choice == Choice::best ? "best" : "chosen one", a.train.output,
                       status_name(found.trained.status), accuracy_text(found.trained.model)),
       document, a.train.common.json);
  if (!a.train.common.quiet) write_message(warning_lines(found.warnings));
  return found.complete() ? kDone : kStoppedEarly;
}

void add_search_options(CLI::App& app, TuneArguments& a) {
  OptionGroup grid(app, "Search");
  grid.values(
      "--grid", a.grid, {"KEY=VALUES", FileUse::grid},
      "Values to try of C, of another option (its name without --) or of a parameter of the "
      "regularizer: a list 0.1,1,10, or 0.01..100*10 in steps of a factor of ten. Each "
      "combination of several --grid is a candidate; '\"A,B\"' in quotes is one value; may be "
      "repeated [default: C=0.01..100*10]");
  grid.value(
      "--score", a.score, "METRIC",
      "Metric that compares candidates [default: accuracy of classes, r2 or mean_r2 of numbers, "
      "macro_average_precision of labels]");
  grid.value(
      "--choose", a.choose, "RULE",
      "Rule that selects the candidate: best, the largest mean score, or one-se, the simplest "
      "candidate within one standard error of the best (the smallest C, then the fewest "
      "kernels), which implies --all-cells");
  grid.value(
      "--nested", a.nested, "K",
      "Repeat the search inside each of K outer folds to estimate the performance on new samples");
  grid.toggle(
      "--all-cells", a.all_cells,
      "Train every candidate on every fold; otherwise the search drops a candidate that can "
      "no longer become the best");
  grid.value("--journal", a.journal, writes("FILE"),
             "Write each finished model to this file; an interrupted run resumes from it");
  OptionGroup parts(app, "On a cluster");
  parts.value(
      "--part", a.part, "K/N",
      "Compute the K-th of N parts of the search with --all-cells, and write only the journal");
  parts.list("--gather", a.gather, reads("FILES"),
             "Combine the journals of all parts: the result is that of one run with --all-cells");
}

}  // namespace

Command make_tune(CLI::App& root) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App& app = add_command(root, kTuneHelp);
  add_data_options(
      app, arguments->train.data,
      "Column with the labels: classes, or numbers with --loss squared or another loss of "
      "regression (required, except with --labels or --targets and with LIBSVM files)");
  add_cell_options(app, arguments->train.data);
  add_search_options(app, *arguments);
  add_inlier_option(app, arguments->train.data);
  add_fold_options(app, arguments->folds);
  add_learning_options(app, arguments->train);
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->train.output, writes("MODEL.kmx"),
             "Model file to write (required except with --part)");
  add_common_options(app, arguments->train.common, kAnswersSoFar);
  return {&app, &arguments->train.common.config,
          [arguments, &app] { return run_tune(*arguments, app); }};
}

}  // namespace kernmix::cli
