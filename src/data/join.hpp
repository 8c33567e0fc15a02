#pragma once
/// \file
/// Several files as one table.

#include "data/file.hpp"

namespace kernmix {

inline constexpr Index no_row = -1;

/// The rows of each file that make up the samples, in order.
struct RowMatch {
  std::vector<std::vector<Index>> rows;  ///< rows[file][sample]; no_row: the file lacks it
  Index unmatched = 0;                   ///< ids that are missing in a file that must have them
  std::string unmatched_example = {};    ///< "'s9', which b.csv lacks"
  std::string note = {};                 ///< on ids that mostly do not match; or empty
};

/// Which files must have every sample.
struct NeededFiles {
  std::vector<bool> each;    ///< of the files: whether it must
  std::vector<bool> labels;  ///< one of these must, if there are any
};
/// All files, or with ReadOptions::keep_absent those with labels or targets.
[[nodiscard]] NeededFiles needed_files(const std::vector<InputFile>& files,
                                       const std::vector<FileTable>& tables,
                                       const std::vector<std::string>& targets,
                                       const ReadOptions& options);

/// Samples whose id occurs in every file that must have it, in the order of the first file and then
/// of the next ones.
/// \throws DataError for a duplicate id, with both lines, and if no id is common
[[nodiscard]] RowMatch match_ids(const std::vector<InputFile>& files,
                                 const std::vector<FileTable>& tables, const NeededFiles& needed);

/// Row i of every file is sample i. \throws DataError when the numbers of rows differ
[[nodiscard]] RowMatch match_positions(const std::vector<InputFile>& files,
                                       const std::vector<FileTable>& tables);

/// match_ids() if there is an id column, or if all files are files of arrays that name their
/// samples and are not the same; otherwise match_positions(). \throws DataError if only some of the
/// files name their samples
[[nodiscard]] RowMatch match_rows(const std::vector<InputFile>& files,
                                  const std::vector<FileTable>& tables, const ReadOptions& options,
                                  const NeededFiles& needed);

/// The names of the columns of each header in the joined table, with the name of the file as prefix
/// if several headers have the name.
[[nodiscard]] std::vector<std::vector<std::string>> joined_headers(
    const std::vector<InputFile>& files);

/// Joins matched rows, with the names that read_table specifies.
/// \throws DataError for labels that disagree and for names that occur twice
[[nodiscard]] Table join(const std::vector<InputFile>& files, std::vector<FileTable> tables,
                         const RowMatch& match);

}  // namespace kernmix
