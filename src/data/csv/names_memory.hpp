#pragma once
/// \file
/// The memory of the names of columns, which may exceed that of their numbers.

#include <cstddef>

#include "data/file.hpp"

namespace kernmix {

/// Of a CSV, TSV or ARFF file with its text, before its header is read; 0 of other files.
[[nodiscard]] std::size_t bytes_of_names(const InputFile& file);

/// \throws ResourceError if the names exceed the memory budget beside the text
void require_memory_of_names(const InputFile& file, const Context& context);

}  // namespace kernmix
