#pragma once
/// \file
/// Tables that have samples in their columns.

#include <vector>

#include "data/file.hpp"

namespace kernmix {

/// Of several files of text whose headers are read. \throws DataError if most columns of a file are
/// called as the words of a column of another one, so that its columns are the samples
void refuse_transposed_tables(const std::vector<InputFile>& files, const Context& context);

}  // namespace kernmix
