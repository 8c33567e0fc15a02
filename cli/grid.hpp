#pragma once
/// \file
/// Values to try, as they are written after --grid.

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "kernmix/selection/comparison.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// "C=0.1,1,10" and "C=0.01..100*10" (from, to, factor) as a grid of an experiment file. Numbers
/// become numbers and all else text. \throws ParameterError for other forms and keys named twice
[[nodiscard]] toml::table grid_table(const std::vector<std::string>& specifications);

/// The arguments with a regularizer that can be read before a grid gave its parameters.
[[nodiscard]] TrainArguments without_parameters(TrainArguments arguments);

/// A message of an experiment file without the file, line and method that nobody wrote.
[[nodiscard]] std::string without_place(const std::string& message);

}  // namespace kernmix::cli
