#pragma once
/// \file
/// kernmix train where there are many classes or labels.

#include <map>
#include <string>

#include "json_run.hpp"
#include "kernmix/model/multi.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// Does the data, or what was asked, ask for many tasks: --labels, --multiclass or --sharing,
/// labels that a file declares itself, more than two classes? \throws DataError for labels that
/// look like numbers to predict
[[nodiscard]] bool has_many_tasks(const TrainArguments& arguments, const TrainOptions& options,
                                  const Table& table);

/// The options of many tasks. \throws ParameterError for what can be refused before a file is read
[[nodiscard]] MultiTrainOptions multi_options(const TrainArguments& arguments,
                                              const TrainOptions& options);

/// The factor of C for each class: n / (K n_class) where --class-weight is balanced.
[[nodiscard]] std::map<std::string, double> multi_class_weights(const TrainArguments& arguments,
                                                                const Table& table);

/// The whole document of `train --json`.
[[nodiscard]] Json multi_run_json(const MultiTrainResult& result, const MultiTrainOptions& options,
                                  const Dataset& data, const Context& context,
                                  const RunFacts& facts);

/// Status, bounds, counts, tasks and the ten kernels with the largest block norms.
[[nodiscard]] std::string multi_train_summary(const MultiTrainResult& result, const Table& table,
                                              const RunFacts& facts);

}  // namespace kernmix::cli
