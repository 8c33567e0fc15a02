#pragma once
/// \file
/// Matrix products for predictions. Each sum has the order of its terms, so that a row of the
/// result does not depend on the other rows or its place among them, as it would in a product of
/// BLAS.

#include "kernmix/types.hpp"

namespace kernmix {

/// left * right
[[nodiscard]] Matrix row_products(const ConstMatrix& left, const ConstMatrix& right);

}  // namespace kernmix
