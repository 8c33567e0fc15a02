#pragma once
/// \file
/// Matrices are plain values that anybody fills: who takes one asks whether it is what it says.

#include <string>

#include "kernmix/types.hpp"

namespace kernmix {

/// \throws ParameterError unless `matrix` holds its rows * cols numbers
void require_shape(const std::string& what, const ConstMatrix& matrix);

}  // namespace kernmix
