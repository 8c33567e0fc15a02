#pragma once
/// \file
/// Files that are put side by side without an id column, though a column of theirs names the
/// samples.

#include "data/file.hpp"

namespace kernmix {

/// Chooses the columns that several files have and that are not read as numbers: their words are
/// kept for refuse_forgotten_ids().
void watch_shared_columns(std::vector<InputFile>& files, const ReadOptions& options);

/// A column of the same name that has each value once in every file, and mostly the same values, is
/// a sample id: rows in another order would be mixed up, and in the same order it would be learned
/// from.
/// \throws DataError naming the column and --id
void refuse_forgotten_ids(const std::vector<InputFile>& files, const std::vector<FileTable>& tables,
                          const ReadOptions& options);

}  // namespace kernmix
