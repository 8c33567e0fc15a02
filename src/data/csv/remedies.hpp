#pragma once
/// \file
/// Faults of cells in words, and what to do about them.

#include <string>

#include "data/csv/problems.hpp"

namespace kernmix {

/// Where faults were found.
struct FaultyFile {
  const Problems& problems;
  const InputFile& file;
  const ReadOptions& options;
  Index rows;
};

/// \param column  its position, or Problems::whole_lines
[[nodiscard]] TableProblem describe_fault(const FaultyFile& of, std::size_t column,
                                          const ColumnFaults& faults, Fault fault);

/// A line with words in every column of numbers. \param words  the first of them
[[nodiscard]] TableProblem describe_line_of_words(const FaultyFile& of, Index line,
                                                  const std::string& words);

/// What to do about a missing cell. \param predicting  the columns are those of a model
[[nodiscard]] std::string remedy_of_missing(bool predicting);

/// Refuses NaN in a file of numbers. \param at  the file with row and column \throws DataError
[[noreturn]] void refuse_missing_number(const std::string& at, bool predicting);

/// `text` as the only item of a list of --ignore, --na or --categorical.
[[nodiscard]] std::string list_item(const std::string& text);

}  // namespace kernmix
