#pragma once
/// \file
/// What a table file holds, and everything in it that training would refuse.

#include <string>
#include <vector>

#include "kernmix/data.hpp"

namespace kernmix {

/// One kind of fault in one column of a file, or in its lines.
struct TableProblem {
  Index line = 0;       ///< of the first fault, from 1; 0: of no line
  std::string column;   ///< empty if it does not concern one column
  std::string fault;    ///< "'12%' is a percentage"
  std::string example;  ///< the first cell, at most 60 bytes of it
  Index cells = 0;      ///< number of cells, or of lines, with this fault
  std::string remedy;   ///< what to do, an option if one helps
};

/// A column of a file.
struct ColumnSummary {
  std::string name;
  /// "numbers", "words", "dates", "percentages", "truth values", "numbers in another notation",
  /// "label", "label indicators", "sample ids", "row names", "ignored" or "empty".
  std::string kind;
  Index missing = 0;  ///< number of missing cells
};

/// What is known of a file.
struct TableSummary {
  std::string format;     ///< "csv", "tsv", "libsvm", "arff" or "npy"
  std::string encoding;   ///< of text: "UTF-8", "UTF-16 LE", "UTF-16 BE" or "Windows-1252"
  char separator = '\0';  ///< of CSV and TSV
  char decimal = '\0';    ///< of CSV and TSV
  char thousands = '\0';  ///< of CSV and TSV; 0: none
  Index samples = 0;      ///< rows that were read
  std::vector<ColumnSummary> columns;
  std::vector<TableProblem> problems;  ///< by their first lines
  Table
      table;  ///< with its notes; cells with a problem are NaN, and complete without problems only
};

/// Reads a file as read_table() does, but collects its faults instead of throwing at the first
/// ones. Columns are listed for CSV and TSV with a header.
/// \throws DataError if the file cannot be read at all or lacks a column that an option names,
/// ParameterError and ResourceError as read_table()
[[nodiscard]] TableSummary summarise_table(const std::string& file, const ReadOptions& options);

/// The same of each of several files that read_table() joins, without their samples. Files other
/// than CSV and TSV are not read. A row without any value lacks the columns of its file, and its
/// missing cells are no problem.
[[nodiscard]] std::vector<TableSummary> summarise_tables(const std::vector<std::string>& files,
                                                         const ReadOptions& options);

}  // namespace kernmix
