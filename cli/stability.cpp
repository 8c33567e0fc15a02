#include "kernmix/selection/stability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "command.hpp"
#include "fold_options.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/significance.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "model/settings/number_text.hpp"
#include "stability_report.hpp"
#include "study/text.hpp"
#include "training_data.hpp"
#include "views_text.hpp"

namespace kernmix::cli {
namespace {

struct StabilityArguments {
  TrainArguments train;
  FoldArguments folds;
  std::string resamples = "100";
  std::string method = "subsample";
  std::string null_runs = "5";
  std::string permutations = "0";
  std::string score;
  std::string csv;
  bool views = false;
};

const HelpText kStabilityHelp = {
    "stability", "Measure the stability of kernel weights and the significance of views.",
    "DATA... --label COL [OPTIONS]",
    "  kernmix stability train.csv --label y\n"
    "  kernmix stability train.csv --label y --resamples 200 --permutations 199 --views \\\n"
    "      --json stability.json --csv weights.csv\n"
    "  kernmix stability train.csv --label y --method bootstrap --regularizer lp:p=2\n",
    "Redundant kernels exchange their weights between resamples, so the sums by view are "
    "more\nstable."};

/// Only the tests of scores have folds.
void refuse_options_of_tests(const CLI::App& app) {
  CLI::App folds;
  folds.set_help_flag();
  FoldArguments unused;
  add_fold_options(folds, unused);
  std::vector<std::string> names = option_names(folds);
  names.emplace_back("--score");
  for (const std::string& name : names) {
    const CLI::Option* const option = app.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    throw ParameterError(fmt::format(
        "{} is for the cross-validated score: give --permutations or --views, or leave it out",
        name));
  }
}

void check_arguments(const StabilityArguments& a, const CLI::App& app) {
  require_data(a.train.data);
  if (!a.views && whole_number("--permutations", a.permutations, 0) == 0) {
    refuse_options_of_tests(app);
  }
  check_fold_options(a.folds);
}

/// The block of each sample; empty without --permute-within.
std::vector<Index> blocks_of(const StabilityArguments& a, const Table& table,
                             const Context& context) {
  const std::string& column = a.folds.permute_within;
  if (column.empty()) return {};
  return numbers_of_names(
      texts_of(read_texts("--permute-within", "block", column, a.train.data, context), table));
}

StabilityOptions stability_options(const StabilityArguments& a) {
  StabilityOptions options;
  options.method = parse_resampling(a.method);
  options.resamples = whole_number("--resamples", a.resamples, 2);
  options.null_runs = whole_number("--null-runs", a.null_runs, 0);
  return options;
}

/// Tests of scores, if requested.
/// \param within  from blocks_of
std::optional<Significance> significance_of(const StabilityArguments& a, const FoldColumn& column,
                                            const std::vector<Index>& within, const Dataset& data,
                                            const TrainOptions& options, const Context& context) {
  const Index permutations = whole_number("--permutations", a.permutations, 0);
  if (permutations == 0 && !a.views) return std::nullopt;
  SignificanceOptions asked;
  asked.folds = choose_folds(a.folds, column, data, options, context).folds;
  asked.score = a.score;
  asked.permutations = permutations;
  asked.views = a.views;
  asked.within = within;
  return significance(data, options, asked, context);
}

int run_stability(const StabilityArguments& a, const CLI::App& app) {
  check_arguments(a, app);
  TrainOptions options = train_options(a.train);
  check_inlier(a.train, options);
  StabilityOptions asked = stability_options(a);
  ProgressLine progress(!a.train.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.train.common, progress, log);
  std::vector<SetSize> sizes;
  const FoldTexts fold_column = read_fold_column(a.folds, a.train.data, context);
  const Dataset data = read_training_data(a.train, context, options, a.folds, &sizes);
  const auto column = texts_of(fold_column, data.table);
  complete_options(data, options);
  asked.within = blocks_of(a, data.table, context);
  StabilityFindings found{weight_stability(data, options, asked, context), std::move(sizes),
                          std::nullopt};
  found.significance = significance_of(a, column, asked.within, data, options, context);
  progress.erase();
  if (!a.csv.empty()) write_text(a.csv, stability_csv(found));
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "stability"},
                   {"data", input_files(a.train.data)},
                   {"regularizer", regularizer_text(options.regularizer)},
                   {"C", cost_of(options)}};
  document.update(stability_json(found));
  add_data_facts(data, document);
  emit(stability_text(found) + fmt::format("\nviews  {}\n", views_text(data)), document,
       a.train.common.json);
  const bool complete =
      found.weights.complete && (!found.significance || found.significance->complete);
  return complete ? kDone : kStoppedEarly;
}

}  // namespace

Command make_stability(CLI::App& root) {
  const auto arguments = std::make_shared<StabilityArguments>();
  CLI::App& app = add_command(root, kStabilityHelp);
  add_data_options(app, arguments->train.data, kTrainingLabel);
  add_cell_options(app, arguments->train.data);
  OptionGroup resampling(app, "Resampling");
  resampling.value("--resamples", arguments->resamples, "B", "Number of resamples");
  resampling.value("--method", arguments->method, "METHOD",
                   "subsample (halves without replacement, in pairs) or bootstrap");
  resampling.value("--null-runs", arguments->null_runs, "N",
                   "Repetitions with permuted labels, which give selection frequencies under the "
                   "null hypothesis; 0: none");
  OptionGroup tests(app, "Scores");
  tests.value("--permutations", arguments->permutations, "N",
              "Number of label permutations for the p-value of the cross-validated score");
  tests.value("--permute-within", arguments->folds.permute_within, "COL",
              "Column with the block of each sample, such as its site: labels are permuted within "
              "blocks only, here and in --null-runs");
  tests.toggle(
      "--views", arguments->views,
      "Also compute the cross-validated score without each view, and with each view alone");
  tests.value("--score", arguments->score, "METRIC",
              "Metric to test [default: accuracy, r2, mean_r2, macro_average_precision of labels]");
  add_inlier_option(app, arguments->train.data);
  add_fold_options(app, arguments->folds);
  add_learning_options(app, arguments->train);
  OptionGroup(app, "Results")
      .value("--csv", arguments->csv, writes("FILE"),
             "CSV file with a line for each kernel and view");
  add_common_options(app, arguments->train.common, kAnswersSoFar);
  return {&app, &arguments->train.common.config,
          [arguments, &app] { return run_stability(*arguments, app); }};
}

}  // namespace kernmix::cli
