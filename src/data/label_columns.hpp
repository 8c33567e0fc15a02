#pragma once
/// \file
/// Selection of the label columns and target columns of each file.

#include <string>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Sets `label_columns` of each file with a header and returns the names of the labels in the
/// joined table, in the order of selection; empty if no header has labels.
/// \throws ParameterError for items that select nothing
[[nodiscard]] std::vector<std::string> choose_label_columns(std::vector<InputFile>& files,
                                                            const ReadOptions& options);

/// The same for `target_columns`.
[[nodiscard]] std::vector<std::string> choose_target_columns(std::vector<InputFile>& files,
                                                             const ReadOptions& options);

/// `labels` with its columns in the order of `names`, a permutation of its names.
[[nodiscard]] MultiLabels reordered(const MultiLabels& labels,
                                    const std::vector<std::string>& names);

}  // namespace kernmix
