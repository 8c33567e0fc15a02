#pragma once
/// \file
/// [[method]]: what a table of options and its grid make of the options of a data set.

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "kernmix/selection/comparison.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// Keys of options that a method may set: those of learning that are not about the data.
[[nodiscard]] std::vector<std::string> method_options();

/// Where methods get their options from.
struct MethodSource {
  const std::string& file;
  const toml::table* grid = nullptr;  ///< of [experiment], for all methods; may be null
  const TrainArguments& arguments;    ///< of the data set
  const TrainOptions& options;        ///< of these, completed where there are data
  const Dataset* data = nullptr;      ///< null: not read yet, options are only checked
};

/// \throws ParameterError naming file, line and key
[[nodiscard]] ComparedMethod read_method(const MethodSource& source, const toml::table& table);

/// "average kernel" and "best single kernel", with the grid of [experiment].
[[nodiscard]] std::vector<ComparedMethod> baselines(const MethodSource& source);

}  // namespace kernmix::cli
