#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/selection/metrics.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct EvaluateArguments {
  CommonArguments common;
  DataArguments data;
  std::string model;
};

const HelpText kEvaluateHelp = {
    "evaluate", "Measure how good a model is on labelled samples, with 95 % intervals.",
    "MODEL DATA... --label COL [OPTIONS]",
    "  kernmix evaluate model.kmx test.csv --label y\n"
    "  kernmix evaluate model.kmx test.csv --label y --json evaluation.json\n"
    "  kernmix evaluate model.kmx labels.csv --label y --gram test_by_train.npy\n",
    "Metrics and their intervals, and the JSON with the points of the ROC curve:\n"
    "docs/formats-run.md. For an honest estimate the samples must not be those of training."};

std::string cell(const std::optional<double>& value) {
  return value ? fmt::format("{:.4f}", *value) : "";
}

std::string metrics_text(const Evaluation& evaluation, const BinaryLabels& classes) {
  std::vector<Row> rows = {{"metric", "value", "low", "high"}};
  for (const Metric& metric : evaluation.metrics) {
    rows.push_back({metric.name, cell(metric.value), cell(metric.low), cell(metric.high)});
  }
  const Confusion& counts = evaluation.confusion;
  const auto count = [](Index value) { return fmt::format("{}", value); };
  const std::vector<Row> confusion = {
      {"", "predicted " + classes.negative, "predicted " + classes.positive},
      {"true " + classes.negative, count(counts.true_negative), count(counts.false_positive)},
      {"true " + classes.positive, count(counts.false_negative), count(counts.true_positive)}};
  return fmt::format("{} samples, {} of them {}\n\n{}\n{}", evaluation.samples,
                     evaluation.positives, classes.positive, aligned(rows, true),
                     aligned(confusion, true));
}

Json document(const EvaluateArguments& a, const Model& model, const Table& table,
              const Evaluation& evaluation) {
  Json result = {
      {"version", KERNMIX_VERSION},
      {"command", "evaluate"},
      {"model", a.model},
      {"data", a.data.files},
      {"unmatched", table.unmatched},
      {"classes", {{"negative", model.classes.negative}, {"positive", model.classes.positive}}}};
  result.update(evaluation_json(evaluation));
  return result;
}

int run_evaluate(const EvaluateArguments& a) {
  require(!a.model.empty(), "MODEL", "name the model file that kernmix train wrote");
  require(!a.data.files.empty(), "DATA", "name at least one file with samples and their labels");
  std::vector<std::string> inputs = input_files(a.data);
  inputs.push_back(a.model);
  check_outputs({{"--json", a.common.json}}, inputs);
  ProgressLine progress(!a.common.quiet);
  std::vector<std::string> log;
  const Context context = make_context(a.common, progress, log);

  const Model model = load_model(a.model);
  const Dataset data = read_columns(model.columns, a.data, read_options(a.data, context));
  if (data.table.labels.empty()) {
    throw ParameterError("--label is missing: name the column with the true labels");
  }
  const Vector y = model.classes.encode(data.table.labels);
  const Prediction prediction = predict(model, data, context);
  progress.erase();
  const Evaluation evaluation = evaluate(y, prediction.decision);
  emit(metrics_text(evaluation, model.classes), document(a, model, data.table, evaluation),
       a.common.json);
  return kDone;
}

}  // namespace

Command make_evaluate(CLI::App& root) {
  const auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App& app = add_command(root, kEvaluateHelp);
  add_value(app, "MODEL", arguments->model, {"Data", "MODEL.kmx", "Model file of kernmix train"});
  add_data_options(app, arguments->data,
                   "Column with the true labels (required, except for LIBSVM files)");
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_evaluate(*arguments); }};
}

}  // namespace kernmix::cli
