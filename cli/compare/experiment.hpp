#pragma once
/// \file
/// An experiment of kernmix compare from a TOML file (docs/reference/experiments.md).

#include <cstdint>
#include <string>
#include <vector>

#include "config.hpp"
#include "kernmix/context.hpp"
#include "kernmix/selection/comparison.hpp"

namespace kernmix::cli {

struct Experiment {
  std::string file;
  ComparisonRules rules;
  std::vector<ComparedData> data;
  std::vector<std::string> split_rules;  ///< of each data set: "5 folds, stratified, ..."
  std::vector<std::string> remarks;      ///< data_remarks()

  [[nodiscard]] const std::vector<ComparedMethod>& methods() const { return data.front().methods; }
};

/// \param seed  of --seed, or empty: the one in the file
/// \throws ParameterError naming file, line and key; DataError as read_table()
[[nodiscard]] Experiment read_experiment(const TomlText& file, const std::string& seed,
                                         const Context& context);

/// All files that the experiment reads, including its own; for check_outputs.
[[nodiscard]] std::vector<std::string> files_of_experiment(const TomlText& file,
                                                           const Context& context);

}  // namespace kernmix::cli
