#pragma once
/// \file
/// Products with the single precision kernel of the inner solver.

#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// target += K change for a symmetric K, n x n row-major, summed in double precision. Reads only
/// rows with a nonzero change.
void add_row_sums(std::span<const float> K, ConstSpan change, MutableSpan target,
                  const Context& context);

}  // namespace kernmix
