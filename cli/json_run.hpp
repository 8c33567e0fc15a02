#pragma once
/// \file
/// Runs as JSON (docs/reference/results.md): what `train --json` writes and `report` reads.

#include <string>
#include <utility>
#include <vector>

#include "kernmix/bank/plan.hpp"
#include "kernmix/certificate.hpp"
#include "kernmix/model/multi.hpp"
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
  std::string model_checksum;
  Index samples_per_class[2] = {0, 0};  ///< negative, positive; zeros but for a Model of classes
  Index unmatched = 0;
  double read_seconds = 0.0;
  double total_seconds = 0.0;
  std::vector<std::string> log;
};

[[nodiscard]] Json bounds_json(const Bounds& bounds);
[[nodiscard]] Json certificate_json(const ModelCertificate& certificate);
[[nodiscard]] Json weights_json(const ModelBasis& model);
[[nodiscard]] Json settings_json(const ModelSettings& settings);
/// What was learned from: `target` and the two `classes`, null for a model of something else.
[[nodiscard]] Json learned_json(const Model& model);
/// `target`, `scheme`, `sharing` and the `names` of the classes or labels.
[[nodiscard]] Json learned_json(const MultiModel& model);

/// What it took to train a model.
struct RunEffort {
  Status status = Status::stalled;
  Index iterations = 0;
  Index inner_iterations = 0;
  Index bank_passes = 0;
  Timings seconds;
};

/// What `train --json` says of every model: status, bounds and effort, counts.
[[nodiscard]] Json run_head(const ModelBasis& model, Index support, Json bounds,
                            const RunEffort& effort, const RunFacts& facts);
/// One row of the history, without its number of SVM solves.
template <typename Row>
[[nodiscard]] Json history_row(const Row& row) {
  return {{"number", row.number},
          {"step", row.step},
          {"primal", json_number(row.primal)},
          {"dual", json_number(row.dual)},
          {"relative_gap", json_number(row.relative_gap)},
          {"seconds", row.seconds},
          {"bank_passes", row.bank_passes},
          {"inner_iterations", row.inner_iterations},
          {"active_kernels", row.active_kernels}};
}
/// The settings that a model keeps and those that only the run had.
[[nodiscard]] Json run_settings_json(const TrainOptions& options, const ModelSettings& used,
                                     const Context& context, const RunFacts& facts);
[[nodiscard]] Json data_json(const Dataset& data, const RunFacts& facts);
[[nodiscard]] Json plan_json(const MemoryPlan& plan);
[[nodiscard]] Json warnings_json(const std::vector<Warning>& warnings);

/// The whole document of `train --json`.
[[nodiscard]] Json run_json(const TrainResult& result, const TrainOptions& options,
                            const Dataset& data, const Context& context, const RunFacts& facts);

}  // namespace kernmix::cli
