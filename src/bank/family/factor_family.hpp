#pragma once
/// \file
/// Kernels that share one basis: K_m ~ X T_m X' with T_m = G_m G_m'.
///
/// P are r of the samples, and X (n x r) interpolates all samples from them in feature space:
/// phi_m(x_i) ~ sum_p X_ip phi_m(x_p) for every kernel m of the family. T_m = K_m[P, P] is then
/// exact and small. A single kernel has T = I and its Cholesky factor as X.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

struct FactorFamily {
  std::vector<Index> kernels;  ///< their numbers in the bank
  Matrix columns;              ///< X', r x n
  std::vector<Matrix> cores;   ///< G_m', r_m x r, one for each kernel; empty if T = I

  [[nodiscard]] Index rank() const { return columns.rows; }
};

/// True where X is kept in single precision: dense kernels are, too, and X is what takes memory.
/// Its rounding is then that of packed kernels, times sum_p |X_ip|, which is 10 to 20.
[[nodiscard]] inline bool single_basis(Index n, bool double_precision) {
  constexpr Index many_samples = 2048;
  return !double_precision && n > many_samples;
}

/// Bytes of a family of `kernels` on n samples: X, and its cores of `core_columns` in all.
[[nodiscard]] inline std::size_t family_bytes(Index n, Index rank, Index kernels,
                                              Index core_columns, bool double_precision) {
  const std::size_t entry = single_basis(n, double_precision) ? sizeof(float) : sizeof(double);
  const Index cores = kernels > 1 ? rank * core_columns : 0;
  return static_cast<std::size_t>(n * rank) * entry +
         static_cast<std::size_t>(cores) * sizeof(double);
}

}  // namespace kernmix
