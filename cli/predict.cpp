#include <fmt/format.h>

#include <memory>

#include "command.hpp"
#include "json_run.hpp"
#include "kernmix/error.hpp"
#include "kernmix/train.hpp"
#include "kernmix/version.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

struct PredictArguments : ModelArguments {
  std::string output = "-";
  bool probability = false;
  bool contributions = false;
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
    "sample (or for each support vector). Probabilities: docs/reference/losses.md. Model file:\n"
    "docs/reference/formats.md."};

/// Columns of contributions: task by task, "KERNEL to TASK" if there are several.
std::string contribution_titles(const Model& model, const Prediction& prediction) {
  std::string line;
  const Index kernels = length(prediction.contributing);
  for (Index k = 0; k < prediction.contributions.cols; ++k) {
    const auto m = to_size(prediction.contributing[to_size(k % kernels)]);
    const std::string kernel = model.kernels[m].description.name();
    const std::string& task = model.tasks[to_size(k / kernels)].name;
    line += "," + csv_field(model.single() ? kernel : kernel + " to " + task);
  }
  return line;
}

/// Column titles: "decision" for a single task, "decision NAME" for each of several names, or only
/// the names without a word.
std::string titles(const Model& model, const std::string& what) {
  if (model.single()) return "," + what;
  std::string line;
  for (const std::string& name : model.names) {
    line += "," + csv_field(what.empty() ? name : what + " " + name);
  }
  return line;
}

std::string value_fields(ConstSpan values) {
  std::string line;
  for (const double value : values) line += fmt::format(",{}", value);
  return line;
}

bool has(const Model& model, const Prediction& prediction, Index i, Index label) {
  return prediction.has_label[to_size(i * length(model.names) + label)] != 0;
}

const std::string& winner(const Model& model, const Prediction& prediction, Index i) {
  return model.names[to_size(prediction.winner[to_size(i)])];
}

/// Predictions for regression; label and decision for classes; 0 or 1 and the decision of each
/// label. The label is first if there are several tasks.
std::string predictions_csv(const Model& model, const Table& table, const Prediction& prediction) {
  const bool many = !model.single();
  const bool number = model.target == Target::numbers;
  const bool probable = prediction.probability.rows > 0;
  const std::string label = prediction.winner.empty() ? "" : ",label";
  std::string csv = "sample" + (many ? label : "") + (model.of_labels() ? titles(model, "") : "");
  csv += titles(model, !number ? "decision"
                       : many  ? ""
                               : "prediction") +
         (many ? "" : label) + (probable ? titles(model, "probability") : "") +
         contribution_titles(model, prediction) + (prediction.views.empty() ? "" : ",views") + "\n";
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    const std::string own = label.empty() ? "" : "," + csv_field(winner(model, prediction, i));
    csv += csv_field(sample_name(table, i)) + (many ? own : "");
    for (Index t = 0; model.of_labels() && t < length(model.names); ++t) {
      csv += has(model, prediction, i, t) ? ",1" : ",0";
    }
    csv += value_fields(prediction.decision.row(i)) + (many ? "" : own);
    if (probable) csv += value_fields(prediction.probability.row(i));
    if (prediction.contributions.cols > 0) csv += value_fields(prediction.contributions.row(i));
    if (!prediction.views.empty()) csv += "," + csv_field(prediction.views[to_size(i)]);
    csv += "\n";
  }
  return csv;
}

/// A number for a single task, an object with a number for each name otherwise.
Json values_json(const Model& model, ConstSpan values) {
  if (model.single()) return values.front();
  Json object = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) object[model.names[k]] = values[k];
  return object;
}

Json labels_json(const Model& model, const Prediction& prediction, Index i) {
  Json labels = Json::array();
  for (Index t = 0; t < length(model.names); ++t) {
    if (has(model, prediction, i, t)) labels.push_back(model.names[to_size(t)]);
  }
  return labels;
}

Json predictions_json(const Model& model, const Table& table, const Prediction& prediction) {
  const bool number = prediction.winner.empty() && !model.of_labels();
  Json samples = Json::array();
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    Json sample = {{"sample", sample_name(table, i)}};
    if (model.of_labels()) sample["labels"] = labels_json(model, prediction, i);
    const bool before = !model.single();  // keeps the order of keys of earlier versions
    const auto put_label = [&] {
      if (!prediction.winner.empty()) sample["label"] = winner(model, prediction, i);
    };
    if (before) put_label();
    sample[number ? "prediction" : "decision"] = values_json(model, prediction.decision.row(i));
    if (!before) put_label();
    if (prediction.probability.rows > 0) {
      sample["probability"] = values_json(model, prediction.probability.row(i));
    }
    if (!prediction.views.empty()) sample["views"] = prediction.views[to_size(i)];
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

Prediction predicted(const PredictArguments& a, const Model& model, const Dataset& data,
                     const Context& context) {
  const bool probable = !model.calibration.empty() || ((model.single() || model.of_labels()) &&
                                                       gives_probability(model.settings.loss));
  if (a.probability && !probable) {
    throw ParameterError(
        fmt::format("--probability: {} is not calibrated{}", a.model,
                    model.target == Target::classes
                        ? "; train it again with --calibrate platt, isotonic or beta"
                        : " and cannot be: it predicts neither classes nor labels"));
  }
  return predict(model, data, context, a.contributions);
}

int run_predict(const PredictArguments& a) {
  ModelSession session(a, {{"-o", a.output}, {"--json", a.common.json}});
  ReadOptions options = read_options(a.data, session.context);
  options.label_optional = true;
  const Model& model = session.model;
  const Dataset data = read_new_data(model, a.data, options);
  const Prediction prediction = predicted(a, model, data, session.context);
  require_some_view(data.table, prediction);
  session.progress.erase();
  if (!a.common.json.empty()) {
    Json samples = predictions_json(model, data.table, prediction);
    write_text(a.common.json, json_text(document_of(a, data.table, std::move(samples))));
  }
  write_text(a.output, predictions_csv(model, data.table, prediction));
  say_of_reading(data.table, a.common);
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
  results.value("-o,--output", arguments->output, "FILE",
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
  add_common_options(app, arguments->common);
  return {&app, &arguments->common.config, [arguments] { return run_predict(*arguments); }};
}

}  // namespace kernmix::cli
