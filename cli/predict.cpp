#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "absent_views.hpp"
#include "command.hpp"
#include "data/arrays/array_file.hpp"
#include "data/arrays/array_place.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/far_samples.hpp"
#include "kernmix/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"
#include "predict/piecewise_output.hpp"
#include "predict/predicted_blocks.hpp"
#include "predict/predictions.hpp"
#include "threshold.hpp"
#include "train_summary.hpp"

namespace kernmix::cli {
namespace {

struct PredictArguments : ModelArguments {
  std::string output = "-";
  bool probability = false;
  bool contributions = false;
  ThresholdArguments threshold;
};

const HelpText kPredictHelp = {
    "predict", "Predict classes, numbers or novelty of new samples with a trained model.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix predict model.kmx test.csv > predictions.csv\n"
    "  kernmix predict model.kmx test.csv --id patient --contributions -o predictions.csv\n"
    "  kernmix predict calibrated.kmx test.csv --probability\n"
    "  kernmix predict model.kmx --gram test_by_train.npy\n",
    "The result is CSV with the columns sample, decision and label; regression has sample and\n"
    "prediction, or a column for each of --targets. Calibrated and logistic models also have\n"
    "probability (of the positive class; a column for each of many classes or labels). With many\n"
    "classes or labels each has a column of decision values, and each label a column of 0 and 1.\n"
    "The label of a novelty detector is inlier or outlier. Columns that the model does not read "
    "are\n"
    "ignored. A given matrix has one row for each new sample and one column for each training\n"
    "sample (or for each support vector). If some training samples lacked a view, the last "
    "column,\n"
    "views, has the views of each sample. Large CSV and TSV files and pipes are processed in "
    "blocks,\n"
    "so memory does not grow with the number of samples; the output appears when all are done."};

Json document_of(const PredictArguments& a, const Table& table, Json samples,
                 const std::optional<double>& threshold) {
  Json document = {{"version", KERNMIX_VERSION},
                   {"command", "predict"},
                   {"model", a.model},
                   {"data", a.data.files},
                   {"unmatched", table.unmatched}};
  if (threshold) document["threshold"] = *threshold;
  document["predictions"] = std::move(samples);
  return document;
}

void say_far_samples(const FarSamples& far, const CommonArguments& common) {
  const std::optional<Warning> warning = far.warning();
  if (warning && !common.quiet) write_message(warning_lines({*warning}));
}

/// \throws ParameterError for --probability and a model without them
void check_probability(const PredictArguments& a, const Model& model) {
  const bool probable = !model.calibration.empty() || ((model.single() || model.of_labels()) &&
                                                       gives_probability(model.settings.loss));
  if (a.probability && !probable) {
    throw ParameterError(
        fmt::format("--probability: {} is not calibrated{}", a.model,
                    model.target == Target::classes
                        ? "; train it again with --calibrate platt, isotonic or beta"
                        : " and cannot be: it predicts neither classes nor labels"));
  }
}

/// Samples of one table of text that are predicted one by one. A JSON document has all predictions,
/// the words of a column and absent views are known at the end of the file, and matrices have a row
/// for each sample.
bool is_read_in_blocks(const PredictArguments& a, const Model& model) {
  const DataArguments& data = a.data;
  const bool one_table = data.files.size() == 1 && data.grams.empty() && data.distances.empty() &&
                         data.labels.empty() && data.targets.empty() &&
                         !holds_arrays(file_place(data.files.front()).file);
  const auto of_words = [](const Indicators& own) { return !own.values.empty(); };
  return one_table && a.common.json.empty() && !model.columns.empty() && model.matrices.empty() &&
         model.presences.empty() && std::ranges::none_of(model.indicators, of_words);
}

/// Reads, predicts and writes a block of samples at a time. Nothing is written unless all samples
/// can be predicted.
int predict_blocks(const PredictArguments& a, ModelSession& session, ReadOptions options) {
  const Model& model = session.model;
  const std::optional<double> threshold = threshold_of(a.threshold, model, a.model);
  PredictedBlocks blocks(model, a.data.files.front(), std::move(options), a.contributions);
  FarSamples far(model);
  AbsentViews absent(model);
  PiecewiseOutput out(a.output);
  while (auto block = blocks.next(session.context)) {
    if (threshold) apply_threshold(model, *threshold, block->prediction);
    require_some_view(block->table, block->prediction);
    far.add(block->table);
    absent.add(block->table);
    if (block->first) {
      check_probability(a, model);
      out.add(predictions_titles(model, block->prediction));
    }
    out.add(predictions_rows(model, block->table, block->prediction));
  }
  session.progress.erase();
  out.finish();
  Table said;
  said.notes = blocks.notes();
  say_of_reading(said, a.common);
  absent.say(a.common);
  say_far_samples(far, a.common);
  return kDone;
}

int run_predict(const PredictArguments& a) {
  ModelSession session(a);
  const Model& model = session.model;
  const bool in_blocks = is_read_in_blocks(a, model);
  ReadOptions options = in_blocks ? read_options_once(a.data, session.context)
                                  : read_options(a.data, session.context);
  options.label_optional = true;
  if (in_blocks) return predict_blocks(a, session, std::move(options));
  const Dataset data = read_new_data(model, a.data, options);
  check_probability(a, model);
  const std::optional<double> threshold = threshold_of(a.threshold, model, a.model);
  Prediction prediction = predict(model, data, session.context, a.contributions);
  if (threshold) apply_threshold(model, *threshold, prediction);
  require_some_view(data.table, prediction);
  FarSamples far(model);
  far.add(data.table);
  session.progress.erase();
  if (!a.common.json.empty()) {
    Json samples = predictions_json(model, data.table, prediction);
    write_text(a.common.json, json_text(document_of(a, data.table, std::move(samples), threshold)));
  }
  write_text(a.output, predictions_titles(model, prediction) +
                           predictions_rows(model, data.table, prediction));
  say_of_reading(data.table, a.common);
  say_absent_views(model, data, a.common);
  say_far_samples(far, a.common);
  return kDone;
}

}  // namespace

Command make_predict(CLI::App& root) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& app = add_command(root, kPredictHelp);
  add_model_options(
      app, *arguments,
      "Column with labels, if the file has such a column; the command does not use it");
  OptionGroup results(app, "Results");
  results.value("-o,--output", arguments->output, writes("FILE"),
                "CSV file to write; - is standard output");
  results.toggle(
      "--probability", arguments->probability,
      "Require probabilities: a model without them is an error. Probabilities of a model "
      "that has them are always written");
  results.toggle(
      "--contributions", arguments->contributions,
      "Also write one column for each kernel of nonzero weight: its contribution to the "
      "decision value or prediction. With several tasks, the columns of each task follow "
      "those of the task before");
  add_threshold_options(app, arguments->threshold);
  add_common_options(app, arguments->common, kNoResult);
  return {&app, &arguments->common.config, [arguments] { return run_predict(*arguments); }};
}

}  // namespace kernmix::cli
