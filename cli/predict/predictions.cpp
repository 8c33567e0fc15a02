#include "predict/predictions.hpp"

#include <fmt/format.h>

#include "json_run.hpp"
#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

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

/// Whether the CSV has the views of each sample: it has the same columns for any new samples.
bool names_views(const Model& model, const Prediction& prediction) {
  return !model.presences.empty() && !prediction.views.empty();
}

/// "label" if classes are predicted.
std::string label_title(const Prediction& prediction) {
  return prediction.winner.empty() ? "" : ",label";
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

}  // namespace

std::string predictions_titles(const Model& model, const Prediction& prediction) {
  const bool many = !model.single();
  const bool number = model.target == Target::numbers;
  const bool probable = prediction.probability.rows > 0;
  const std::string label = label_title(prediction);
  std::string csv = "sample" + (many ? label : "") + (model.of_labels() ? titles(model, "") : "");
  csv += titles(model, !number ? "decision"
                       : many  ? ""
                               : "prediction") +
         (many ? "" : label) + (probable ? titles(model, "probability") : "") +
         contribution_titles(model, prediction) + (names_views(model, prediction) ? ",views" : "") +
         "\n";
  return csv;
}

std::string predictions_rows(const Model& model, const Table& table, const Prediction& prediction) {
  const bool many = !model.single();
  const bool labelled = !prediction.winner.empty();
  std::string csv;
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    const std::string own = labelled ? "," + csv_field(winner(model, prediction, i)) : "";
    csv += csv_field(sample_name(table, i)) + (many ? own : "");
    for (Index t = 0; model.of_labels() && t < length(model.names); ++t) {
      csv += has(model, prediction, i, t) ? ",1" : ",0";
    }
    csv += value_fields(prediction.decision.row(i)) + (many ? "" : own);
    if (prediction.probability.rows > 0) csv += value_fields(prediction.probability.row(i));
    if (prediction.contributions.cols > 0) csv += value_fields(prediction.contributions.row(i));
    if (names_views(model, prediction)) csv += "," + csv_field(prediction.views[to_size(i)]);
    csv += "\n";
  }
  return csv;
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

}  // namespace kernmix::cli
