#pragma once
/// \file
/// Detection of files that are joined by position although they have an id column.

#include "data/file.hpp"

namespace kernmix {

/// Selects columns common to several files that are not parsed as numbers, and keeps their words
/// for check_forgotten_ids().
void watch_shared_columns(std::vector<InputFile>& files, const ReadOptions& options);

/// A common column with distinct and mostly equal values in every file is a sample id: rows in
/// another order would be joined wrongly, and in the same order the id would become a feature.
/// \throws DataError naming the column and --id
void check_forgotten_ids(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                         const ReadOptions& options);

}  // namespace kernmix
