#pragma once
/// \file
/// The biases that minimise the loss of Crammer and Singer:
///
///   min_b  sum_i C_i max_u (h_iu + b_u) - sum_u D_u b_u,
///   h_iu = 1 - [u = y_i] + Z_iu,   D_u = sum_{y_i = u} C_i
///
/// Its dual is a transportation problem: samples of mass C_i are assigned to classes of demand D_u
/// with the gain h_iu per unit, and -b are the prices. Solved exactly by successive shortest paths
/// among the classes (Ford and Fulkerson 1957; Edmonds and Karp, JACM 1972): an edge from u to v
/// costs min h_iu - h_iv over the samples that have mass at u.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// \param Z  n x K decision values
/// \param y  n classes;  \param C  n weights
/// \param start biases to start from, length K, or empty; near the optimum few paths remain
/// \returns K biases with sum 0
[[nodiscard]] Vector best_class_biases(const Matrix& Z, const std::vector<Index>& y, ConstSpan C,
                                       ConstSpan start);

}  // namespace kernmix
