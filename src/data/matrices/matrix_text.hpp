#pragma once
/// \file
/// Matrices in text files: numbers with or without the names of samples.

#include "data/file.hpp"
#include "kernmix/given_matrix.hpp"

namespace kernmix {

/// True for a precomputed kernel in LIBSVM's form: the first line begins with 0:i, i a whole
/// number, after an optional label, and goes on with 1:value.
[[nodiscard]] bool is_libsvm_kernel(std::string_view text);

/// The matrix of a text file, with the names in its first line and its first column. Separator and
/// decimal mark are recognised; a line sep=X is blanked.
/// \throws DataError naming line and column of anything but a finite number or a name, of names
/// that are missing or occur twice, and of rows of another length
[[nodiscard]] GivenMatrix read_text_matrix(InputFile& file, const Context& context);

}  // namespace kernmix
