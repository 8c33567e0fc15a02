#include <memory>
#include <optional>
#include <utility>

#include "absent_views.hpp"
#include "base/samples.hpp"
#include "by_views.hpp"
#include "command.hpp"
#include "data/names/row_ids.hpp"
#include "expected.hpp"
#include "findings.hpp"
#include "json_evaluation.hpp"
#include "kernmix/error.hpp"
#include "kernmix/far_samples.hpp"
#include "kernmix/train.hpp"
#include "model/thresholds/folds.hpp"
#include "options.hpp"
#include "threshold.hpp"
#include "train_summary.hpp"
#include "training_data.hpp"

namespace kernmix::cli {
namespace {

struct EvaluateArguments : ModelArguments {
  std::string sample_weight;
  ThresholdArguments threshold;
};

const HelpText kEvaluateHelp = {
    "evaluate", "Measure the performance of a model on labelled samples, with 95 % intervals.",
    "MODEL DATA... --label COL [OPTIONS]",
    "  kernmix evaluate model.kmx test.csv --label y\n"
    "  kernmix evaluate model.kmx test.csv --label y --json evaluation.json\n"
    "  kernmix evaluate model.kmx test.csv --label y --sample-weight count\n"
    "  kernmix evaluate model.kmx labels.csv --label y --gram test_by_train.npy\n",
    "--json also has the points of the curves. On samples that were used in training the estimate\n"
    "is optimistic."};

void check_inlier(const EvaluateArguments& a, const Model& model) {
  if (a.data.inlier.empty() || model.target == Target::none) return;
  throw ParameterError("--inlier: the model does not detect novelties, it learned from targets");
}

/// Samples for evaluation, and their weights.
struct EvaluatedData {
  Dataset data;
  Vector weights;  ///< empty: all 1
};

EvaluatedData read_evaluated(const EvaluateArguments& a, const Model& model,
                             const Context& context) {
  const ReadOptions reading = read_options(a.data, context);
  EvaluatedData read{read_new_data(model, a.data, reading), {}};
  if (a.sample_weight.empty()) return read;
  const Vector weights = read_weights(a.sample_weight, a.data, read.data.table, context);
  const std::vector<Index> kept = samples_that_count(read.data.table, a.sample_weight, weights);
  say_weightless(weights.size(), kept.size(), a.common);
  const Index labels = length(read.data.table.multi_labels.names);
  if (kept.size() < weights.size()) {
    read.data = part_of(read.data, kept, {}, index_range(0, labels));
    name_by_rows(read.data.table, kept);
  }
  read.weights = entries_at(weights, kept);
  return read;
}

int run_evaluate(const EvaluateArguments& a) {
  ModelSession session(a);
  const Model& model = session.model;
  require_files(!a.data.files.empty() || model.target == Target::none);
  check_inlier(a, model);
  const auto [data, weights] = read_evaluated(a, model, session.context);
  const std::optional<double> threshold = threshold_of(a.threshold, model, a.model);
  Prediction prediction = predict(model, data, session.context);
  if (threshold) apply_threshold(model, *threshold, prediction);
  require_some_view(data.table, prediction);
  const Findings findings = findings_of(model, data.table, prediction, a.data.inlier, weights);
  std::vector<Warning> warnings = evaluation_warnings(model, data.table, prediction, weights);
  FarSamples far(model);
  far.add(data.table);
  if (auto warning = far.warning()) warnings.push_back(std::move(*warning));
  session.progress.erase();
  Json document = evaluation_json({a.model, model_checksum(a.model)}, a.data.files, data.table,
                                  model, findings.document);
  const Findings by_views =
      findings_by_views(model, data.table, prediction, a.data.inlier, weights);
  if (!by_views.text.empty()) document["by_views"] = by_views.document;
  if (threshold) document["threshold"] = *threshold;
  if (!weights.empty()) document["sample_weight"] = a.sample_weight;
  document["warnings"] = warnings_json(warnings);
  emit(findings.text + by_views.text, document, a.common.json);
  say_of_reading(data.table, a.common);
  say_absent_views(model, data, a.common);
  if (!a.common.quiet) write_message(warning_lines(warnings));
  return kDone;
}

}  // namespace

Command make_evaluate(CLI::App& root) {
  const auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App& app = add_command(root, kEvaluateHelp);
  add_model_options(
      app, *arguments,
      "Column with the true labels (required, except with --labels or --targets, with LIBSVM "
      "files and for novelty detection)");
  add_inlier_option(app, arguments->data);
  OptionGroup(app, "Data")
      .value("--sample-weight", arguments->sample_weight, "COL",
             "Column with sample weights >= 0: a sample of weight 2 counts twice, one of weight 0 "
             "is omitted");
  add_threshold_options(app, arguments->threshold);
  add_common_options(app, arguments->common, kNoResult);
  return {&app, &arguments->common.config, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace kernmix::cli
