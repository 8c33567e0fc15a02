#pragma once
/// \file
/// CSV and TSV files with a header.

#include "data/file.hpp"

namespace kernmix {

/// Determines `file.separator` and reads `file.header`; without `has_header` it counts the fields
/// of the first record. \throws DataError for a header that looks like a sample, and for names that
/// are empty or occur twice
void read_csv_header(InputFile& file, bool has_header);

/// For a message that no column has this name: where it stands below the header, or that it stands
/// in single quotes, with a remedy; otherwise "".
[[nodiscard]] std::string place_of_name(const InputFile& file, const std::string& name);

/// Reads the samples of a file whose header is known. All columns except labels, ids and ignored
/// ones must be numeric.
[[nodiscard]] FileTable read_csv(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
