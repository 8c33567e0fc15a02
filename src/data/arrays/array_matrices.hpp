#pragma once
/// \file
/// Gram and distance matrices in files of arrays.

#include <vector>

#include "data/arrays/array_place.hpp"
#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"
#include "kernmix/matrix_files.hpp"

namespace kernmix {

/// One matrix, or a stack: the array at the place; otherwise the only array of three dimensions, or
/// all square arrays of one size, in the natural order of their names. A stack n x n x M is told
/// from M x n x n by its equal sizes, and other stacks by `columns`, as open_matrix_file() does.
/// \throws DataError if no array, or several, may be meant
[[nodiscard]] std::vector<MatrixInFile> open_array_matrices(const FilePlace& place,
                                                            const std::vector<Index>& columns,
                                                            const Context& context);

/// FILE:PATH of the first stack of square matrices; "" if there is none.
[[nodiscard]] std::string stack_in_file(const std::string& file, const Context& context);

/// One matrix is called `name`, others name[0], name[1], ...
[[nodiscard]] std::vector<MatrixInFile> numbered_matrices(const std::string& name,
                                                          std::vector<GivenMatrix> matrices);

}  // namespace kernmix
