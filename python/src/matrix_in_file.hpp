#pragma once
/// \file
/// Some rows and columns of a matrix that an array maps from a file.

#include <cstdint>
#include <string>
#include <vector>

#include "kernmix/given_matrix.hpp"

namespace kernmix::python {

/// Where doubles of this machine lie in a file, row after row.
struct FilePlace {
  std::string file;
  std::uint64_t offset = 0;  ///< of the first number, in bytes
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;  ///< numbers from one row to the next
};

/// Entries (rows[i], columns[j]), which are read from the file when they are asked for. A mapping
/// of a file that becomes shorter ends the process that reads it; a read is refused. \param name of
/// the matrix, for messages \throws ParameterError for a row or column that is not there, DataError
/// where the file lacks some
[[nodiscard]] GivenMatrix matrix_in_file(const FilePlace& place, std::vector<Index> rows,
                                         std::vector<Index> columns, const std::string& name);

}  // namespace kernmix::python
