#pragma once
/// \file
/// [[method]]: the candidates from a table of settings and its grid.

#include <toml++/toml.h>

#include <string>
#include <vector>

#include "kernmix/selection/comparison.hpp"
#include "kernmix/selection/grid.hpp"
#include "train_options.hpp"

namespace kernmix::cli {

/// The source of the options of methods.
struct MethodSource {
  const TrainArguments& arguments;  ///< of the data set
  const TrainOptions& options;      ///< from the arguments, completed if there are data
  const Dataset* data = nullptr;    ///< null: not read yet, options are only checked
};

/// A candidate for each point of the grid.
/// \param settings replace those of the data set; the grid replaces both
/// \throws ParameterError "(p=2): ...", naming the point
[[nodiscard]] std::vector<Candidate> grid_candidates(const MethodSource& source,
                                                     const SettingTexts& settings,
                                                     const std::vector<GridAxis>& grid);

/// A table of an experiment file, with the grid of [experiment], which may be null.
struct MethodTable {
  const std::string& file;
  const toml::table* grid = nullptr;
};

/// \throws ParameterError naming file, line and key
[[nodiscard]] ComparedMethod read_method(const MethodTable& place, const MethodSource& source,
                                         const toml::table& table);

/// "average kernel" and "best single kernel", with the grid of [experiment].
[[nodiscard]] std::vector<ComparedMethod> baselines(const MethodTable& place,
                                                    const MethodSource& source);

}  // namespace kernmix::cli
