#pragma once
/// \file
/// The columns that a model reads, in the headers of new files.

#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Among ReadOptions::only_views: all columns of the table of training.
inline constexpr const char* columns_of_training = all_views;

/// For options with `only_views`: tells each file which columns the model knows by the name of the
/// file, NAME.COLUMN, although they need no prefix among the new files.
void name_by_model(std::vector<InputFile>& files, const ReadOptions& options);

/// For options with `only_views`. \param names  the columns of the file
/// \throws DataError if they are counted from 0 and those of training from 1, or the other way
/// round
void refuse_shifted_columns(InputFile& file, const std::vector<std::string>& names,
                            const ReadOptions& options);

/// For options with `only_views`. \throws DataError for a column of the model that is the label, a
/// target or the sample id, or that no file of text has; views that may be absent are left out
void require_model_columns(std::vector<InputFile>& files, const ReadOptions& options,
                           const ColumnRoles& roles);

}  // namespace kernmix
