#include "multi/predict.hpp"

#include <fmt/format.h>

#include "layout.hpp"
#include "options.hpp"

namespace kernmix::cli {
namespace {

/// "decision NAME" for each name.
std::string titles(const MultiModel& model, const std::string& what) {
  std::string line;
  for (const std::string& name : model.names) line += "," + csv_field(what + name);
  return line;
}

std::string fields(ConstSpan values) {
  std::string line;
  for (const double value : values) line += fmt::format(",{}", value);
  return line;
}

bool has(const MultiModel& model, const MultiPrediction& prediction, Index i, Index label) {
  return prediction.has_label[static_cast<std::size_t>(i * length(model.names) + label)] != 0;
}

const std::string& winner(const MultiModel& model, const MultiPrediction& prediction, Index i) {
  return model.names[static_cast<std::size_t>(prediction.winner[static_cast<std::size_t>(i)])];
}

Json object_of(const MultiModel& model, ConstSpan values) {
  Json object = Json::object();
  for (std::size_t k = 0; k < values.size(); ++k) object[model.names[k]] = values[k];
  return object;
}

}  // namespace

std::string multi_predictions_csv(const MultiModel& model, const Table& table,
                                  const MultiPrediction& prediction) {
  const bool probable = prediction.probability.rows > 0;
  std::string csv = "sample" + (model.of_labels() ? titles(model, "") : ",label") +
                    titles(model, "decision ") + (probable ? titles(model, "probability ") : "") +
                    "\n";
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    csv += csv_field(sample_name(table, i));
    if (model.of_labels()) {
      for (Index t = 0; t < length(model.names); ++t) {
        csv += has(model, prediction, i, t) ? ",1" : ",0";
      }
    } else {
      csv += "," + csv_field(winner(model, prediction, i));
    }
    csv += fields(prediction.decision.row(i));
    if (probable) csv += fields(prediction.probability.row(i));
    csv += "\n";
  }
  return csv;
}

Json multi_predictions_json(const MultiModel& model, const Table& table,
                            const MultiPrediction& prediction) {
  Json samples = Json::array();
  for (Index i = 0; i < prediction.decision.rows; ++i) {
    Json sample = {{"sample", sample_name(table, i)}};
    if (model.of_labels()) {
      Json& labels = sample["labels"] = Json::array();
      for (Index t = 0; t < length(model.names); ++t) {
        if (has(model, prediction, i, t))
          labels.push_back(model.names[static_cast<std::size_t>(t)]);
      }
    } else {
      sample["label"] = winner(model, prediction, i);
    }
    sample["decision"] = object_of(model, prediction.decision.row(i));
    if (prediction.probability.rows > 0) {
      sample["probability"] = object_of(model, prediction.probability.row(i));
    }
    samples.push_back(std::move(sample));
  }
  return samples;
}

}  // namespace kernmix::cli
