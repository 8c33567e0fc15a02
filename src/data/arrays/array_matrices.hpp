#pragma once
/// \file
/// Gram and distance matrices in files of arrays.

#include <vector>

#include "data/arrays/array_place.hpp"
#include "kernmix/context.hpp"
#include "kernmix/given_matrix.hpp"

namespace kernmix {

/// One matrix, or a stack: the array at the place; otherwise the only array of three dimensions, or
/// all square arrays of one size, in the natural order of their names. A stack n x n x M is told
/// from M x n x n by its equal sizes. \throws DataError if no array, or several, may be meant
[[nodiscard]] std::vector<GivenMatrix> open_array_matrices(const FilePlace& place,
                                                           const Context& context);

}  // namespace kernmix
