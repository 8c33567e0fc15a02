#pragma once
/// \file
/// Makes the columns of a dual matrix sum to zero without leaving its set: with
///
///   F_wu = sum_{y_i = w} -A_iu,   1'A_w = sum_u F_wu - sum_u F_uw,
///
/// F is a flow among the classes. Paths from classes with positive sums to those with negative sums
/// are removed from it, and the rows of A are scaled down with their F_wu.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// \param A  n x K with sum_u A_iu = 0, A_iu <= 0 for u != y_i
void balance_classes(Matrix& A, const std::vector<Index>& y);

}  // namespace kernmix
