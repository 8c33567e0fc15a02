#pragma once
/// \file
/// Products with a tall factor Z, n x r row-major, K = Z Z'. Results are bitwise identical for any
/// number of threads.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// f = Z p
void multiply(const Matrix& Z, ConstSpan p, MutableSpan f, const Context& context);

/// v += sum_k values[k] Z_{rows[k]}, the transposed product with a vector that is zero elsewhere.
void add_rows(const Matrix& Z, std::span<const Index> rows, ConstSpan values, MutableSpan v,
              const Context& context);

/// v = Z'a
[[nodiscard]] Vector transposed_product(const Matrix& Z, ConstSpan a, const Context& context);

}  // namespace kernmix
