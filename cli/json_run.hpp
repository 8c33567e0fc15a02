#pragma once
/// \file
/// Runs as JSON (docs/formats-run.md): what `train --json` writes and `report` reads.

#include <string>
#include <utility>
#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/model/train.hpp"
#include "output.hpp"

namespace kernmix::cli {

/// What the command knows of a training run and the library does not.
struct RunFacts {
  std::vector<std::string> files;  ///< as given, matrices included
  std::string label;
  std::string id;
  std::string sample_weight;
  std::string model_file;
  Index samples_per_class[2] = {0, 0};  ///< negative, positive; zeros without classes
  Index unmatched = 0;
  double read_seconds = 0.0;
  double total_seconds = 0.0;
  std::vector<std::string> log;
};

[[nodiscard]] Json certificate_json(const Certificate& certificate);
[[nodiscard]] Json weights_json(const Model& model);
[[nodiscard]] Json settings_json(const ModelSettings& settings);
/// The names of the two classes, or null for a model of something else.
[[nodiscard]] Json classes_json(const Model& model);

/// The whole document of `train --json`.
[[nodiscard]] Json run_json(const TrainResult& result, const TrainOptions& options,
                            const Dataset& data, const Context& context, const RunFacts& facts);

}  // namespace kernmix::cli
