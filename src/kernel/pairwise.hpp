#pragma once
/// \file
/// Comparisons of all pairs of two sets of samples: the most expensive part of kernels of features.

#include "kernel/functions/definition.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// If |x|^2 + |z|^2 - 2 x . z is below this times its terms, at least four digits are lost.
inline constexpr double kCancelled = 1e-4;

/// out[r * length(col_index) + c] = comparison of left row row_index[r] and right row col_index[c].
/// An entry does not depend on the other requested entries, to the last bit; distances have a small
/// relative error, even between close samples, and are 0 for equal samples.
/// \param comparison  not `given`
void compare(Comparison comparison, const ConstMatrix& left, std::span<const Index> row_index,
             const ConstMatrix& right, std::span<const Index> col_index, MutableSpan out);

/// The comparison of a sample with itself.
[[nodiscard]] double compare_with_itself(Comparison comparison, ConstSpan sample);

}  // namespace kernmix
