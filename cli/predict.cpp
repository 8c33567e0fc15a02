#include "multi/predict.hpp"

#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/model/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct PredictArguments : ModelArguments {
  std::string output = "-";
  bool contributions = false;
};

const HelpText kPredictHelp = {
    "predict", "Predict classes, numbers or novelty of new samples with a trained model.",
    "MODEL DATA... [OPTIONS]",
    "  kernmix predict model.kmx test.csv > predictions.csv\n"
    "  kernmix predict model.kmx test.csv --id patient --contributions -o predictions.csv\n"
    "  kernmix predict model.kmx --gram test_by_train.npy\n",
    "The result is CSV: sample, decision, label, and of a logistic model probability (of the\n"
    "positive class); of a regression sample, prediction; of a novelty detector the label is\n"
    "inlier or outlier. Of many classes there is a column of decision values for each, of labels\n"
    "also a column of 0 and 1. Columns that the model does not read may hold anything. A given "
    "matrix\n"
    "has one row for each new sample and one column for each training sample (or for each support\n"
    "vector). What a probability means: docs/reference/losses.md. How a model is stored: "
    "docs/reference/formats.md."};

std::string predictions_csv(const Model& model, const Table& table, const Prediction& prediction) {
  const bool labelled = !prediction.label.empty();
  const bool probable = !prediction.probability.empty();
  std::string csv = labelled ? "sample,decision,label" : "sample,prediction";
  if (probable) csv += ",probability";
  const Index kernels = prediction.contributions.cols;
  for (Index k = 0; k < kernels; ++k) {
    const Index m = prediction.contributing[static_cast<std::size_t>(k)];
    csv += "," + csv_field(model.kernels[static_cast<std::size_t>(m)].description.name());
  }
  csv += "\n";
  for (Index i = 0; i < length(prediction.decision); ++i) {
    const auto row = static_cast<std::size_t>(i);
    csv += fmt::format("{},{}", csv_field(sample_name(table, i)), prediction.decision[row]);
    if (labelled) csv += "," + csv_field(prediction.label[row]);
    if (probable) csv += fmt::format(",{}", prediction.probability[row]);
    for (Index k = 0; k < kernels; ++k) csv += fmt::format(",{}", prediction.contributions(i, k));
    csv += "\n";
  }
  return csv;
}

Json predictions_json(const Table& table, const Prediction& prediction) {
  const bool labelled = !prediction.label.empty();
  Json samples = Json::array();
  for (Index i = 0; i < length(prediction.decision); ++i) {
    const auto row = static_cast<std::size_t>(i);
    Json sample = {{"sample", sample_name(table, i)},
                   {labelled ? "decision" : "prediction", prediction.decision[row]}};
    if (labelled) sample["label"] = prediction.label[row];
    if (!prediction.probability.empty()) sample["probability"] = prediction.probability[row];
    samples.push_back(std::move(sample));
  }
  return samples;
}

Json document_of(const PredictArguments& a, const Table& table, Json samples) {
  return {{"version", KERNMIX_VERSION},
          {"command", "predict"},
          {"model", a.model},
          {"data", a.data.files},
          {"unmatched", table.unmatched},
          {"predictions", std::move(samples)}};
}

/// Predictions as CSV and as JSON.
struct Predicted {
  std::string csv;
  Json samples;
};

Predicted predicted(const PredictArguments& a, const Model& model, const Dataset& data,
                    const Context& context) {
  const Prediction prediction = predict(model, data, context, a.contributions);
  return {predictions_csv(model, data.table, prediction), predictions_json(data.table, prediction)};
}

Predicted predicted(const PredictArguments& a, const MultiModel& model, const Dataset& data,
                    const Context& context) {
  if (a.contributions) {
    throw ParameterError(
        "--contributions: the model has many tasks, and contributions are those of one predictor");
  }
  const MultiPrediction prediction = predict_multi(model, data, context);
  return {multi_predictions_csv(model, data.table, prediction),
          multi_predictions_json(model, data.table, prediction)};
}

int run_predict(const PredictArguments& a) {
  ModelSession session(a, {{"-o", a.output}, {"--json", a.common.json}});
  ReadOptions options = read_options(a.data, session.context);
  options.label_optional = true;
  const Dataset data = read_columns(basis_of(session.model).columns, a.data, options);
  const Predicted result = std::visit(
      [&](const auto& model) { return predicted(a, model, data, session.context); }, session.model);
  session.progress.erase();
  if (!a.common.json.empty()) {
    write_text(a.common.json, json_text(document_of(a, data.table, result.samples)));
  }
  write_text(a.output, result.csv);
  if (data.table.unmatched > 0 && !a.common.quiet) {
    write_message(fmt::format("kernmix: {} samples were left out: not in every file\n",
                              data.table.unmatched));
  }
  return kDone;
}

}  // namespace

Command make_predict(CLI::App& root) {
  const auto arguments = std::make_shared<PredictArguments>();
  CLI::App& app = add_command(root, kPredictHelp);
  add_model_options(app, *arguments, "Column with labels, where there is one: it is not read");
  OptionGroup results(app, "Results");
  results.value("-o,--output", arguments->output, "FILE",
                "CSV file to write; - is standard output");
  results.toggle("--contributions", arguments->contributions,
                 "Also write what each kernel with weight adds to the decision value or the "
                 "predicted number, one column each");
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_predict(*arguments); }};
}

}  // namespace kernmix::cli
