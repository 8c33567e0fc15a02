#pragma once
/// \file
/// Square matrices that are held as their factor.

#include "kernmix/given_matrix.hpp"

namespace kernmix {

/// F F', whose entries are computed when they are read.
[[nodiscard]] GivenMatrix matrix_of_factor(MatrixFactor factor);

}  // namespace kernmix
