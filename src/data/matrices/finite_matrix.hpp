#pragma once
/// \file
/// The check of matrices that are in memory.

#include <string>

#include "kernmix/types.hpp"

namespace kernmix {

/// \throws DataError naming row and column of a value that is not finite
/// \param number of the matrix among those of its file, from 0
void require_finite(const std::string& path, const Matrix& matrix, Index number);

}  // namespace kernmix
