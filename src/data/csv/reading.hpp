#pragma once
/// \file
/// The samples of a CSV file with all their faults.

#include <vector>

#include "data/csv/problems.hpp"
#include "data/csv_reader.hpp"

namespace kernmix {

struct CsvReading {
  FileTable table;
  Problems problems;
  std::vector<Index> missing;  ///< number of missing cells in each column

  [[nodiscard]] Index rows() const { return length(table.lines); }
};

/// Reads the samples of a file whose header is known in the notation of numbers that fits: plain
/// numbers, or with decimal commas if every number with a comma can be read so, one of them only
/// so, and no number has a decimal point. \throws DataError for quotes that are not closed,
/// ResourceError
[[nodiscard]] CsvReading read_samples(const InputFile& file, const ReadOptions& options);

/// Skips the header, if there is one.
void skip_names(const InputFile& file, CsvReader& reader);

/// Notes what was recognised while all samples were read.
void note_samples(const InputFile& file, Index empty_records, CsvReading& reading);
/// Notes decimal commas that were not asked for.
void note_notation(const InputFile& file, const ReadOptions& options, CsvReading& reading);

/// Checks `decimal` and `thousands` against each other. \throws ParameterError naming the option
void check_notation(const ReadOptions& options);

}  // namespace kernmix
