#pragma once
/// \file
/// Runs as JSON (docs/reference/results.md): what `train --json` writes and `report` reads.

#include <string>
#include <vector>

#include "json_text.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"
#include "kernmix/train.hpp"

namespace kernmix::documents {

/// What the command knows of a training run and the library does not.
struct RunFacts {
  std::vector<std::string> files;  ///< as given, matrices included
  std::string label;
  std::string id;
  std::string sample_weight;
  std::string model_file;
  std::string model_checksum;
  std::vector<Index> samples_per_name;  ///< of each class or label of the model
  Index unmatched = 0;
  double read_seconds = 0.0;
  double total_seconds = 0.0;
  std::vector<std::string> log;
};

/// The outer iterations of the solver.
[[nodiscard]] Index iterations_of(const TrainResult& result);
[[nodiscard]] Json bounds_json(const Bounds& bounds);
/// Bounds, and of a single task its bias.
[[nodiscard]] Json certificate_json(const Model& model, const Bounds& bounds, double bias);
[[nodiscard]] Json weights_json(const Model& model);
[[nodiscard]] Json settings_json(const ModelSettings& settings);
[[nodiscard]] Json warnings_json(const std::vector<Warning>& warnings);
/// What was learned from: `target`; of a single task the two `classes`, null where there are none;
/// of many `scheme`, `sharing` and the `names` of the classes or labels.
[[nodiscard]] Json learned_json(const Model& model);

/// The whole document of `train --json`.
[[nodiscard]] Json run_json(const TrainResult& result, const TrainOptions& options,
                            const Dataset& data, const Context& context, const RunFacts& facts);

}  // namespace kernmix::documents
