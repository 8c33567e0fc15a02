#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/text.hpp"
#include "command.hpp"
#include "data/names/row_ids.hpp"
#include "expected.hpp"
#include "fold_options.hpp"
#include "held_out.hpp"
#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/selection/cross_validation.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "model/warnings/warnings.hpp"
#include "paired_scores.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"
#include "variants.hpp"
#include "views_text.hpp"

namespace kernmix::cli {
namespace {

struct CvArguments {
  TrainArguments train;
  FoldArguments folds;
  std::vector<std::string> also;
  std::string score;
  std::string predictions;
};

const HelpText kCvHelp = {
    "cv", "Estimate the performance of models on new samples by cross-validation.",
    "DATA... --label COL [OPTIONS]",
    "  kernmix cv train.csv --label y\n"
    "  kernmix cv train.csv --label y --folds 10 --repeats 3 -C 10 --predictions held_out.csv\n"
    "  kernmix cv train.csv --label y --also 'average: --regularizer average' \\\n"
    "      --also 'p = 2: --regularizer lp:p=2 -C 10' --score auc --json cv.json\n"
    "  kernmix cv visits.csv --label outcome --id visit --groups patient\n",
    "Kernels are computed once for each fold and shared by all models; scaling, widths and\n"
    "normalisation are fitted on each training part alone."};

void check_arguments(const CvArguments& a) {
  require_data(a.train.data);
  check_fold_options(a.folds);
  if (!a.score.empty()) (void)score_rule(a.score);
}

/// The results of a cross-validation.
struct Study {
  const Dataset& data;
  const std::vector<Variant>& variants;
  const ChosenFolds& folds;
  const CrossValidation& result;
  std::vector<std::optional<Expected>> expected;  ///< of each variant
  std::string score;
};

std::vector<Warning> warnings_of(const Study& study) {
  std::vector<Warning> warnings = warnings_of_targets(study.data, study.variants.front().options);
  for (std::size_t k = 0; k < study.variants.size(); ++k) {
    if (!study.expected[k]) continue;
    const std::string name = study.variants.size() > 1 ? study.variants[k].name : "";
    for (Warning& one : expected_warnings(*study.expected[k], name)) {
      warnings.push_back(std::move(one));
    }
  }
  return warnings;
}

std::string mean_cell(const FoldMean& metric) {
  if (!metric.mean) return "";
  return metric.spread ? fmt::format("{:.4f} +- {:.4f}", *metric.mean, *metric.spread)
                       : fmt::format("{:.4f}", *metric.mean);
}

/// Means and standard deviations over the finished folds.
std::string means_table(const Study& study) {
  std::vector<Row> rows = {{"metric"}};
  for (const FoldMean& metric : study.result.means(0)) {
    if (is_shown(metric.name)) rows.push_back({metric.name});
  }
  for (Index k = 0; k < length(study.variants); ++k) {
    rows.front().push_back(study.variants[to_size(k)].name);
    const std::vector<FoldMean> means = study.result.means(k);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      const auto found = std::ranges::find(means, rows[i].front(), &FoldMean::name);
      rows[i].push_back(found == means.end() ? "" : mean_cell(*found));
    }
  }
  return aligned(rows, true) + "Mean +- standard deviation over the finished folds.\n";
}

/// A line for each metric, a column for each model.
std::string expected_table(const Study& study) {
  const bool known =
      std::ranges::all_of(study.expected, [](const auto& one) { return one.has_value(); });
  if (!known) return means_table(study);
  const Expected& first = *study.expected.front();
  std::vector<Row> rows = {{"metric"}};
  for (const Variant& variant : study.variants) rows.front().push_back(variant.name);
  for (const Metric& metric : first.metrics) {
    if (!is_shown(metric.name)) continue;
    Row row = {metric.name};
    for (const auto& one : study.expected) {
      const Metric* const own = one->find(metric.name);
      row.push_back(own == nullptr ? "-" : interval_cell(*own));
    }
    rows.push_back(std::move(row));
  }
  const bool has_intervals = std::ranges::any_of(
      first.metrics, [](const Metric& metric) { return metric.low.has_value(); });
  std::string text =
      aligned(rows, true) +
      fmt::format("Expected performance on new samples of models trained on {} samples{}.\n",
                  first.trained, has_intervals ? ", with 95 % intervals" : "");
  for (const std::string& remark : first.remarks) text += wrapped(remark, 100) + "\n";
  return text;
}

double mean_of(const std::vector<FoldScore>& folds, double (*value)(const FoldScore&)) {
  double sum = 0.0;
  double count = 0.0;
  for (const FoldScore& fold : folds) {
    if (fold.metrics.empty()) continue;
    sum += value(fold);
    count += 1.0;
  }
  return count > 0.0 ? sum / count : 0.0;
}

std::string models_table(const Study& study) {
  std::vector<Row> rows = {{"model", "kernels used", "seconds per fold", "largest gap"}};
  for (std::size_t k = 0; k < study.variants.size(); ++k) {
    const auto& folds = study.result.models[k];
    const auto used = [](const FoldScore& f) { return static_cast<double>(f.kernels_used); };
    const auto seconds = [](const FoldScore& f) { return f.solve_seconds; };
    double gap = 0.0;
    for (const FoldScore& fold : folds) {
      if (!fold.metrics.empty()) gap = std::max(gap, fold.relative_gap);
    }
    rows.push_back({study.variants[k].name, fmt::format("{:.1f}", mean_of(folds, used)),
                    fmt::format("{:.3g}", mean_of(folds, seconds)), fmt::format("{:.1e}", gap)});
  }
  return aligned(rows, true);
}

std::string score_cell(const FoldScore& fold, const std::string& score) {
  if (fold.metrics.empty()) return "";
  const std::optional<double> value = score_called(fold.metrics, score);
  return value ? fmt::format("{:.4f}", *value) : "-";
}

/// A line for each named fold, such as a site: the scores of the models.
std::string folds_table(const Study& study) {
  std::vector<Row> rows = {{study.score + " of fold", "samples"}};
  for (const Variant& variant : study.variants) rows.front().push_back(variant.name);
  for (Index f = 0; f < length(study.folds.folds); ++f) {
    Row row = {study.folds.name(f), fmt::format("{}", study.folds.folds[to_size(f)].test.size())};
    for (const auto& model : study.result.models) {
      row.push_back(score_cell(model[to_size(f)], study.score));
    }
    rows.push_back(std::move(row));
  }
  return aligned(rows, true);
}

Index finished(const Study& study) {
  Index count = 0;
  for (std::size_t f = 0; f < study.folds.folds.size(); ++f) {
    const auto done = [&](const auto& model) { return !model[f].metrics.empty(); };
    if (std::ranges::all_of(study.result.models, done)) ++count;
  }
  return count;
}

std::string text_of(const Study& study) {
  const Index n = length(study.folds.folds);
  std::string text =
      fmt::format("{} ({} splits)\nviews  {}\n", study.folds.rule, n, views_text(study.data));
  if (!study.result.complete) {
    text += fmt::format("stopped early: {} of {} splits are finished\n", finished(study), n);
  }
  text += "\n" + expected_table(study) + "\n";
  text += models_table(study);
  if (!study.folds.names.empty()) text += "\n" + folds_table(study);
  if (study.variants.size() > 1) {
    text += "\n" + paired_table(study.result, study.variants, study.folds.folds, study.score);
  }
  return text;
}

Json fold_json(const FoldScore& fold) {
  if (fold.metrics.empty()) return nullptr;
  return {{"metrics", metrics_json(fold.metrics)},
          {"status", status_name(fold.status)},
          {"relative_gap", json_number(fold.relative_gap)},
          {"n_kernels_used", fold.kernels_used},
          {"solve_seconds", fold.solve_seconds}};
}

Json model_json(const Study& study, Index k) {
  const Variant& variant = study.variants[to_size(k)];
  Json means = Json::array();
  for (const FoldMean& metric : study.result.means(k)) {
    means.push_back({{"name", metric.name},
                     {"mean", json_number(metric.mean)},
                     {"sd", json_number(metric.spread)},
                     {"values", metric.values}});
  }
  Json folds = Json::array();
  for (const FoldScore& fold : study.result.models[to_size(k)]) folds.push_back(fold_json(fold));
  return {{"name", variant.name},
          {"loss", loss_text(variant.options.loss)},
          {"regularizer", regularizer_text(variant.options.regularizer)},
          {"C", json_number(cost_of(variant.options))},
          {"metrics", std::move(means)},
          {"expected", expected_json(study.expected[to_size(k)])},
          {"folds", std::move(folds)}};
}

Json document_of(const CvArguments& a, const Study& study) {
  Json folds = Json::array();
  for (const Fold& fold : study.folds.folds) {
    Json test = Json::array();
    for (const Index i : fold.test) test.push_back(file_row(study.data.table, i));
    folds.push_back(std::move(test));
  }
  std::vector<std::string> warnings = study.folds.warnings;
  for (const Warning& one : warnings_of(study)) {
    warnings.push_back(fmt::format("{} [{}]", one.message, one.code));
  }
  Json models = Json::array();
  for (Index k = 0; k < length(study.variants); ++k) models.push_back(model_json(study, k));
  const Reuse& reuse = study.result.reuse;
  return {
      {"version", KERNMIX_VERSION},
      {"command", "cv"},
      {"data", input_files(a.train.data)},
      {"n_samples", study.data.table.samples()},
      {"folds",
       {{"rule", study.folds.rule},
        {"names", fold_names_json(study.folds)},
        {"tested", std::move(folds)}}},
      {"complete", study.result.complete},
      {"score", study.score},
      {"models", std::move(models)},
      {"comparisons", paired_json(study.result, study.variants, study.folds.folds, study.score)},
      {"kernels",
       {{"models", reuse.models},
        {"builds", reuse.kernel_builds},
        {"seconds", reuse.kernel_seconds},
        {"saved_seconds", reuse.saved_seconds}}},
      {"warnings", warnings}};
}

/// \throws ParameterError if the models do not have the score
std::string chosen_score(const CvArguments& a, const Table& table, const Variant& first,
                         const CrossValidation& result) {
  const bool plain = a.also.empty() && a.score.empty();  // no comparison
  if (plain && loss_target(first.options.loss) == Target::none && inlier_of(table).empty()) {
    return "outlier_fraction";
  }
  const std::string name = a.score.empty() ? default_score(table, first.options) : a.score;
  for (const FoldScore& fold : result.models.front()) {
    if (!fold.metrics.empty()) (void)score_called(fold.metrics, name);
  }
  return name;
}

/// \throws ResourceError if the run was stopped before a model had scores on any split
void require_a_split(const CrossValidation& result) {
  const auto is_finished = [](const FoldScore& fold) { return !fold.metrics.empty(); };
  const auto has_any = [&](const auto& model) { return std::ranges::any_of(model, is_finished); };
  if (result.complete || std::ranges::any_of(result.models, has_any)) return;
  throw ResourceError(
      "stopped before the first split was finished: there are no scores; allow more time");
}

int run_cv(const CvArguments& a) {
  check_arguments(a);
  TrainOptions options = train_options(a.train);
  if (a.also.empty()) check_inlier(a.train, options);  // --also may have a novelty detector
  ProgressLine progress(!a.train.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.train.common, progress, log);
  const FoldTexts fold_column = read_fold_column(a.folds, a.train.data, context);
  const Dataset data = read_training_data(a.train, context, options, a.folds);
  const auto column = texts_of(fold_column, data.table);
  complete_options(data, options);
  const std::vector<Variant> variants = variants_of(a.train, options, a.also, data);
  const ChosenFolds folds = choose_folds(a.folds, column, data, options, context);
  const CrossValidation result = cross_validate(data, all_options(variants), folds.folds, context);
  require_a_split(result);
  std::vector<std::optional<Expected>> expected;
  for (Index k = 0; k < length(variants); ++k) {
    expected.push_back(expected_performance(result, k, data, folds.folds, options.groups));
  }
  const Study study{data,
                    variants,
                    folds,
                    result,
                    std::move(expected),
                    chosen_score(a, data.table, variants.front(), result)};
  progress.erase();
  if (!a.predictions.empty()) {
    write_text(a.predictions, held_out_csv(data.table, variants, folds, result));
  }
  Json document = document_of(a, study);
  add_data_facts(data, document);
  emit(text_of(study), document, a.train.common.json);
  for (const std::string& warning : folds.warnings) {
    if (!a.train.common.quiet) write_message(fmt::format("warning: {}\n", warning));
  }
  if (!a.train.common.quiet) write_message(warning_lines(warnings_of(study)));
  return result.complete ? kDone : kStoppedEarly;
}

}  // namespace

Command make_cv(CLI::App& root) {
  const auto arguments = std::make_shared<CvArguments>();
  CLI::App& app = add_command(root, kCvHelp);
  add_data_options(app, arguments->train.data, kTrainingLabel);
  add_cell_options(app, arguments->train.data);
  add_inlier_option(app, arguments->train.data);
  add_fold_options(app, arguments->folds);
  add_learning_options(app, arguments->train);
  OptionGroup results(app, "Results");
  results.values("--also", arguments->also, {"'NAME: OPTIONS'", FileUse::options},
                 "Another model on the same folds: the options above, overridden by these, for "
                 "example 'average: --regularizer average'; may be repeated");
  results.value("--score", arguments->score, "METRIC",
                "Metric of the paired comparison of several models [default: accuracy, r2, "
                "mean_r2, macro_average_precision of labels, auc of novelties]");
  results.value("--predictions", arguments->predictions, writes("FILE.csv"),
                "Also write the prediction for each sample by the models that were trained without "
                "it; - is standard output");
  add_common_options(app, arguments->train.common, kAnswersSoFar);
  return {&app, &arguments->train.common.config, [arguments] { return run_cv(*arguments); }};
}

}  // namespace kernmix::cli
