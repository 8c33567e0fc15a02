#pragma once
/// \file
/// The columns that a model reads, in the headers of new files.

#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// For options with `only_views`. \throws DataError for a column of the model that is the label, a
/// target or the sample id, or that no file of text has; views that may be absent are left out
void require_model_columns(const std::vector<InputFile>& files, const ReadOptions& options,
                           const ColumnRoles& roles);

}  // namespace kernmix
