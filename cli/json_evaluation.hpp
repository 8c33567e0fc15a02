#pragma once
/// \file
/// Evaluations as JSON (docs/reference/results.md): what `evaluate --json` writes and `report`
/// reads.

#include <string>
#include <vector>

#include "kernmix/metrics.hpp"
#include "kernmix/model.hpp"
#include "output.hpp"

namespace kernmix::cli {

[[nodiscard]] Json metrics_json(const std::vector<Metric>& metrics);
/// A number of samples, or a sum of their weights: whole numbers are written without a point.
[[nodiscard]] Json count_json(double count);
[[nodiscard]] Json confusion_json(const Confusion& counts);
[[nodiscard]] Json reliability_json(const std::vector<ReliabilityBin>& bins);
[[nodiscard]] Json roc_json(const std::vector<RocPoint>& roc);

/// A file with a model, and the checksum of its bytes.
struct ModelFile {
  std::string name;
  std::string checksum;
};

/// The whole document. \param learned  what the model is;  \param found  Findings::document
[[nodiscard]] Json evaluation_json(const ModelFile& file, const std::vector<std::string>& files,
                                   const Table& table, const Model& learned, const Json& found);

}  // namespace kernmix::cli
