#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/text.hpp"
#include "command.hpp"
#include "compare/journal.hpp"
#include "compare/methods.hpp"
#include "compare/text_hash.hpp"
#include "data/file.hpp"
#include "fold_options.hpp"
#include "grid.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/search.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "model/solving/stopwatch.hpp"
#include "training_data.hpp"
#include "values.hpp"

namespace kernmix::cli {
namespace {

struct TuneArguments {
  TrainArguments train;
  FoldArguments folds;
  std::vector<std::string> grid;
  std::string score;
  std::string nested;
  std::string journal;
  bool all_cells = false;
};

const HelpText kTuneHelp = {
    "tune", "Choose C and other options by cross-validation, then train on all samples.",
    "DATA... --label COL --grid KEY=VALUES... -o MODEL.kmx [OPTIONS]",
    "  kernmix tune train.csv --label y -o model.kmx\n"
    "  kernmix tune train.csv --label y --regularizer lp --grid C=0.01..100*10 --grid p=1.1,1.5,2 "
    "\\\n"
    "      --score auc --nested 5 --json tune.json -o model.kmx\n"
    "  kernmix tune train.csv --label y --grid C=1..1000*10 --journal tune.jsonl -o model.kmx\n",
    "The score of the winner is the best of many and so too good: --nested says what to expect of\n"
    "new samples. Kernels are computed once for each fold. The manual: docs/how-to/tune.md."};

void check_arguments(const TuneArguments& a) {
  require(!a.train.data.files.empty() || !a.train.data.grams.empty(), "DATA",
          "name at least one file with samples and their labels");
  require(!a.train.output.empty(), "-o", "name the model file to write");
  check_fold_options(a.folds);
  if (!a.score.empty()) (void)score_rule(a.score);
  if (!a.nested.empty()) (void)whole_number("--nested", a.nested, 2);
  std::vector<std::string> inputs = input_files(a.train.data);
  if (!a.train.common.config.empty()) inputs.push_back(a.train.common.config);
  if (!a.folds.split_file.empty()) inputs.push_back(a.folds.split_file);
  check_outputs({{"-o", a.train.output}, {"--json", a.train.common.json}, {"--journal", a.journal}},
                inputs);
}

/// Everything that decides the numbers of a search but the options for developers.
std::uint64_t fingerprint_of(const TuneArguments& a, const std::vector<Candidate>& candidates,
                             const ChosenFolds& folds, const ScoreRule& score) {
  std::string all =
      fmt::format("{} {} {} {}", KERNMIX_VERSION, folds.rule, score.name, a.all_cells);
  for (const std::string& file : input_files(a.train.data)) {
    all += fmt::format(" {}", text_hash(read_file(file)));
  }
  for (const Fold& fold : folds.folds) all += fmt::format(" {}", fmt::join(fold.test, ","));
  for (const Candidate& candidate : candidates) {
    const TrainOptions& o = candidate.options;
    all += fmt::format(" {} {} {} {} {} {} {}", candidate.name, o.regularizer, o.loss, o.C,
                       fmt::join(o.kernels, ";"), o.solver.solver, o.solver.tolerance);
  }
  for (const auto* texts : {&a.train.views, &a.train.class_weights, &a.train.data.ignore}) {
    all += fmt::format(" {}", fmt::join(*texts, ";"));
  }
  for (const auto* text : {&a.train.normalize, &a.train.scale, &a.train.bias, &a.train.sharing,
                           &a.train.multiclass, &a.train.sample_weight, &a.train.positive}) {
    all += " " + *text;
  }
  return text_hash(all);
}

/// Between computing and writing.
struct Tuned {
  const ComparedMethod& method;
  const ChosenFolds& folds;
  ScoreRule score;
  Search search;
  std::vector<ComparedSplit> nested;  ///< of --nested
  std::vector<std::string> remarks;
};

std::string mean_text(const SearchedCell& cell) {
  return cell.spread ? fmt::format("{:.4f} +- {:.4f}", *cell.mean, *cell.spread)
                     : fmt::format("{:.4f}", *cell.mean);
}

/// Candidates with all scores, the best first.
std::vector<Index> ranking(const Tuned& tuned) {
  std::vector<Index> order;
  for (Index c = 0; c < length(tuned.search.cells); ++c) {
    if (tuned.search.cells[to_size(c)].mean) order.push_back(c);
  }
  std::ranges::stable_sort(order, [&](Index left, Index right) {
    return tuned.score.better(tuned.search.cells[to_size(left)].mean,
                              tuned.search.cells[to_size(right)].mean);
  });
  return order;
}

std::string cells_table(const Tuned& tuned, std::size_t limit = 10) {
  std::vector<Row> rows = {{"candidate", tuned.score.name, "kernels used"}};
  for (const Index c : ranking(tuned)) {
    if (rows.size() > limit) break;
    const SearchedCell& cell = tuned.search.cells[to_size(c)];
    rows.push_back({tuned.method.candidates[to_size(c)].name, mean_text(cell),
                    fmt::format("{:.1f}", cell.kernels_used)});
  }
  return aligned(rows, true);
}

std::string counts_text(const Search& search) {
  const auto abandoned = std::ranges::count_if(search.cells, &SearchedCell::abandoned);
  std::string text = fmt::format("{} candidates, {} models, kernels computed {} times",
                                 search.cells.size(), search.fits, search.kernel_builds);
  if (abandoned > 0) {
    text += fmt::format("; {} candidates were abandoned: they could not win any more", abandoned);
  }
  return text + "\n";
}

/// Mean and deviation of the scores of the outer folds.
SearchedCell nested_mean(const Tuned& tuned) {
  SearchedCell sum;
  Vector values;
  for (const ComparedSplit& split : tuned.nested) {
    if (split.methods[0].scores[0]) values.push_back(*split.methods[0].scores[0]);
  }
  if (values.empty()) return sum;
  const auto n = static_cast<double>(values.size());
  sum.mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0.0;
  for (const double value : values) squares += (value - *sum.mean) * (value - *sum.mean);
  if (n > 1.0) sum.spread = std::sqrt(squares / (n - 1.0));
  return sum;
}

std::string nested_text(const Tuned& tuned) {
  const SearchedCell mean = nested_mean(tuned);
  if (!mean.mean) return "";
  std::vector<Row> rows = {{"chosen inside an outer fold", tuned.score.name + " outside"}};
  for (const ComparedSplit& split : tuned.nested) {
    const ComparedCell& cell = split.methods[0];
    rows.push_back({tuned.method.candidates[to_size(cell.candidate)].name,
                    cell.scores[0] ? fmt::format("{:.4f}", *cell.scores[0]) : ""});
  }
  return fmt::format("\n{}\nExpected of new samples (nested cross-validation): {} {}\n",
                     aligned(rows, true), tuned.score.name, mean_text(mean));
}

std::string text_of(const Tuned& tuned) {
  std::string text =
      fmt::format("{}; {}\n{}", tuned.folds.rule, counts_text(tuned.search), cells_table(tuned)) +
      nested_text(tuned);
  for (const std::string& remark : tuned.remarks) text += "\n" + wrapped(remark, 100) + "\n";
  return text;
}

void remark_on_winner(const ComparedMethod& method, const Search& search,
                      std::vector<std::string>& remarks) {
  if (!search.best) return;
  const Candidate& winner = method.candidates[to_size(*search.best)];
  for (const auto& [key, value] : winner.numbers) {
    for (const bool largest : {false, true}) {
      if (!is_end_of_grid(method.candidates, key, value, largest)) continue;
      remarks.push_back(fmt::format(
          "The best {} = {} is the {} of its grid: better values may lie beyond; widen --grid {}.",
          key, value, largest ? "largest" : "smallest", key));
    }
  }
}

Json cells_json(const Tuned& tuned) {
  Json list = Json::array();
  for (std::size_t c = 0; c < tuned.search.cells.size(); ++c) {
    const SearchedCell& cell = tuned.search.cells[c];
    const Candidate& candidate = tuned.method.candidates[c];
    Json numbers = Json::object();
    for (const auto& [key, value] : candidate.numbers) numbers[key] = value;
    Json scores = Json::array();
    for (const auto& one : cell.scores) scores.push_back(json_number(one));
    list.push_back({{"name", candidate.name},
                    {"grid", std::move(numbers)},
                    {"regularizer", candidate.options.regularizer},
                    {"C", json_number(candidate.options.C)},
                    {"mean", json_number(cell.mean)},
                    {"sd", json_number(cell.spread)},
                    {"scores", std::move(scores)},
                    {"abandoned", cell.abandoned},
                    {"kernels_used", cell.kernels_used}});
  }
  return list;
}

Json nested_json(const Tuned& tuned) {
  if (tuned.nested.empty()) return nullptr;
  const SearchedCell mean = nested_mean(tuned);
  Json folds = Json::array();
  for (const ComparedSplit& split : tuned.nested) {
    folds.push_back({{"candidate", split.methods[0].candidate},
                     {"score", json_number(split.methods[0].scores[0])}});
  }
  return {{"mean", json_number(mean.mean)}, {"sd", json_number(mean.spread)}, {"folds", folds}};
}

Json document_of(const TuneArguments& a, const Tuned& tuned) {
  const Search& search = tuned.search;
  return {{"version", KERNMIX_VERSION},
          {"command", "tune"},
          {"data", input_files(a.train.data)},
          {"model", a.train.output},
          {"folds", {{"rule", tuned.folds.rule}, {"count", tuned.folds.folds.size()}}},
          {"score", tuned.score.name},
          {"complete", search.complete},
          {"best", search.best ? Json(*search.best) : Json(nullptr)},
          {"candidates", cells_json(tuned)},
          {"nested", nested_json(tuned)},
          {"cost",
           {{"models", search.fits},
            {"unconverged", search.unconverged},
            {"kernel_builds", search.kernel_builds}}},
          {"remarks", tuned.remarks}};
}

/// One method with all candidates; C from 0.01 to 100 where no grid is given.
ComparedMethod method_of(const TuneArguments& a, const TrainOptions& options, const Dataset* data) {
  toml::table table =
      grid_table(a.grid.empty() ? std::vector<std::string>{"C=0.01..100*10"} : a.grid);
  toml::table method;
  method.insert("name", "tune");
  method.insert("regularizer", a.train.regularizer);
  method.insert("grid", std::move(table));
  const std::string file = "--grid";
  try {
    return read_method({file, nullptr, a.train, options, data}, method);
  } catch (const ParameterError& error) {
    throw ParameterError(without_place(error.what()));
  }
}

Search run_search(const TuneArguments& a, const Dataset& data, const ComparedMethod& method,
                  const ChosenFolds& folds, const ScoreRule& score, const Context& context) {
  Journal journal(a.journal, fingerprint_of(a, method.candidates, folds, score));
  return search(
      data, method.candidates, folds.folds, {score, a.all_cells}, journal.finished(),
      [&](const ComparedSplit& split) { journal.add(split); }, context);
}

std::vector<ComparedSplit> run_nested(const TuneArguments& a, const Dataset& data,
                                      const ComparedMethod& method, const TrainOptions& options,
                                      const ScoreRule& score, const Context& context) {
  if (a.nested.empty()) return {};
  const Index outer = whole_number("--nested", a.nested, 2);
  const FoldOptions asked{.folds = outer, .seed = static_cast<std::uint32_t>(context.seed)};
  const std::vector<Index> classes = classes_of(data.table, options);
  ComparedData compared{"the data", data, {}, {method}};
  compared.splits =
      classes.empty() ? plain_folds(data.table.samples(), asked) : stratified_folds(classes, asked);
  const ComparisonRules rules{{score.name}, whole_number("--folds", a.folds.folds, 2), asked.seed};
  return compare({std::move(compared)}, rules, {}, nullptr, context);
}

int run_tune(const TuneArguments& a) {
  check_arguments(a);
  TrainOptions options = train_options(without_parameters(a.train));
  (void)method_of(a, options, nullptr);  // what can be refused before a file is read
  ProgressLine progress(!a.train.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.train.common, progress, log);
  const auto column = read_fold_column(a.folds, a.train.data, context);
  const Dataset data = read_training_data(a.train, context, options, fold_columns(a.folds));
  complete_options(a.train, data.table, options);
  const ComparedMethod method = method_of(a, options, &data);
  const ChosenFolds folds = choose_folds(a.folds, column, data, options, context);
  const Target target = loss_target(parse_loss(options.loss));
  const ScoreRule score = score_rule(
      a.score.empty() ? default_score(training_scheme(data.table, options), target) : a.score);
  Tuned tuned{method, folds, score, {}, {}, folds.warnings};
  tuned.search = run_search(a, data, method, folds, score, context);
  if (!tuned.search.best) {
    throw ResourceError(
        "stopped before any candidate had all scores: there is no model; allow "
        "more time, and --journal keeps what is finished");
  }
  tuned.nested = run_nested(a, data, method, options, score, context);
  remark_on_winner(method, tuned.search, tuned.remarks);
  const TrainResult result =
      train(data, method.candidates[to_size(*tuned.search.best)].options, context);
  save_model(result.model, a.train.output);
  progress.erase();
  emit(text_of(tuned) +
           fmt::format("\nThe best, trained on all samples: {} ({}, relative gap {:.1e})\n",
                       a.train.output, status_name(result.status),
                       result.model.certificate.relative_gap()),
       document_of(a, tuned), a.train.common.json);
  return tuned.search.complete && result.status == Status::converged ? kDone : kStoppedEarly;
}

}  // namespace

Command make_tune(CLI::App& root) {
  const auto arguments = std::make_shared<TuneArguments>();
  CLI::App& app = add_command(root, kTuneHelp);
  add_data_options(app, arguments->train.data,
                   "Column with the labels: classes, or numbers for a loss of regression");
  OptionGroup grid(app, "Search");
  grid.values("--grid", arguments->grid, "KEY=VALUES",
              "An option or a parameter of the regularizer, and its values: 0.1,1,10 or "
              "0.01..100*10 (each ten times the one before); may be repeated, all combinations are "
              "tried [default: C=0.01..100*10]");
  grid.value("--score", arguments->score, "METRIC",
             "What is best [default: accuracy, r2, mean_r2, macro_average_precision of labels]");
  grid.value("--nested", arguments->nested, "K",
             "Also search inside each of K outer folds: what to expect of new samples");
  grid.toggle("--all-cells", arguments->all_cells,
              "Try every candidate on every fold, also those that cannot win any more");
  grid.value("--journal", arguments->journal, "FILE",
             "Write each fold here as it is finished; a run that was cut short goes on from it");
  add_fold_options(app, arguments->folds);
  add_learning_options(app, arguments->train);
  OptionGroup(app, "Results")
      .value("-o,--output", arguments->train.output, "MODEL.kmx", "Model file to write (required)");
  add_common_options(app, arguments->train.common);
  return {&app, &arguments->train.common.config, [arguments] { return run_tune(*arguments); }};
}

}  // namespace kernmix::cli
