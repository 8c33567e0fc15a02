#pragma once
/// \file
/// Arguments of kernmix tune.

#include <string>
#include <vector>

#include "fold_options.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

struct TuneArguments {
  TrainArguments train;
  FoldArguments folds;
  std::vector<std::string> grid;
  std::string score;
  std::string choose = "best";
  std::string nested;
  std::string journal;
  std::string part;
  std::vector<std::string> gather;
  bool all_cells = false;
};

/// Checks before any file is read. \throws ParameterError
void check_tune_arguments(const TuneArguments& arguments);

}  // namespace kernmix::cli
