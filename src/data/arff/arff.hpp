#pragma once
/// \file
/// ARFF files with dense and sparse rows, also those of MULAN and MEKA.

#include "data/file.hpp"

namespace kernmix {

/// True when the first line that is neither blank nor a comment begins with `@relation`.
[[nodiscard]] bool looks_like_arff(std::string_view text);

/// Reads `file.header` and `file.declared_labels`. \throws DataError for what is no ARFF header
void read_arff_names(InputFile& file);

/// Reads the samples of a file whose header is known. Attributes that are neither labels nor id,
/// nor left out by the options, are numeric; or nominal with numbers for values, or with two
/// values, which are 0 and 1 in the order of the file. What a sparse row leaves out is 0 or the
/// first value.
[[nodiscard]] FileTable read_arff(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
