#pragma once
/// \file
/// Which columns of which file make up the label matrix, and which are targets.

#include <string>
#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Settles `label_columns` of each file with a header and returns the names that the labels will
/// have in the joined table, in the order in which they are selected; none where no header has any.
/// \throws ParameterError for items that select nothing
[[nodiscard]] std::vector<std::string> choose_label_columns(std::vector<InputFile>& files,
                                                            const ReadOptions& options);

/// The same of `target_columns`.
[[nodiscard]] std::vector<std::string> choose_target_columns(std::vector<InputFile>& files,
                                                             const ReadOptions& options);

/// `labels` with its columns in the order of `names`, which are the same.
[[nodiscard]] MultiLabels reordered(const MultiLabels& labels,
                                    const std::vector<std::string>& names);

}  // namespace kernmix
