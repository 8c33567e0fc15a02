#pragma once
/// \file
/// Evaluations as JSON (docs/reference/results.md): what `evaluate --json` writes and `report`
/// reads.

#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/metrics.hpp"
#include "kernmix/model.hpp"

namespace kernmix::documents {

[[nodiscard]] Json metrics_json(const std::vector<Metric>& metrics);
/// A number of samples, or a sum of their weights: whole numbers are written without a point.
[[nodiscard]] Json count_json(double count);
[[nodiscard]] Json confusion_json(const Confusion& counts);
[[nodiscard]] Json reliability_json(const std::vector<ReliabilityBin>& bins);
[[nodiscard]] Json roc_json(const std::vector<RocPoint>& roc);

/// The file of a model.
struct EvaluatedModel {
  std::string file;
  std::string checksum;  ///< model_checksum()
};

/// The whole document. \param learned facts about the model; \param found Findings::document
[[nodiscard]] Json evaluation_json(const EvaluatedModel& model,
                                   const std::vector<std::string>& files, const Table& table,
                                   const Model& learned, const Json& found);

}  // namespace kernmix::documents
