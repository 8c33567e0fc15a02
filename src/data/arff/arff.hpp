#pragma once
/// \file
/// ARFF files with dense and sparse rows, also those of MULAN and MEKA.

#include "data/file.hpp"

namespace kernmix {

/// True when the first line that is neither blank nor a comment begins with `@relation`.
[[nodiscard]] bool looks_like_arff(std::string_view text);

/// Reads `file.header` and `file.declared_labels`. \throws DataError for an invalid ARFF header
void read_arff_names(InputFile& file);

/// Reads the samples of a file whose header is known. All attributes except labels, ids and ignored
/// ones must be numeric, nominal with numeric values, or nominal with two values, which become 0
/// and 1 in the order of the file. Omitted entries of a sparse row are 0 or the first value.
[[nodiscard]] FileTable read_arff(const InputFile& file, const ReadOptions& options);

}  // namespace kernmix
