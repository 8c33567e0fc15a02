#pragma once
/// \file
/// Several files as one table.

#include "data/file.hpp"

namespace kernmix {

/// The rows of each file that make up the samples, in order.
struct RowMatch {
  std::vector<std::vector<Index>> rows;  ///< rows[file][sample]
  Index unmatched = 0;                   ///< ids that some file lacks
};

/// Samples whose id every file has, in the order of the first file.
/// \throws DataError for an id that a file has twice, with both lines, and when none matches
[[nodiscard]] RowMatch match_ids(const std::vector<InputFile>& files,
                                 const std::vector<FileTable>& tables);

/// Row i of every file is sample i. \throws DataError when the numbers of rows differ
[[nodiscard]] RowMatch match_positions(const std::vector<InputFile>& files,
                                       const std::vector<FileTable>& tables);

/// The names that the columns of each header have in the joined table: with the file's name before
/// them where several headers have them.
[[nodiscard]] std::vector<std::vector<std::string>> joined_headers(
    const std::vector<InputFile>& files);

/// Puts matched rows side by side, with names as read_table promises.
/// \throws DataError for labels that disagree and for names that occur twice
[[nodiscard]] Table join(const std::vector<InputFile>& files, std::vector<FileTable> tables,
                         const RowMatch& match);

}  // namespace kernmix
