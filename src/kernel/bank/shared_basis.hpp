#pragma once
/// \file
/// Does the basis of one kernel hold another one, too?

#include <optional>

#include "kernel/bank/incomplete_cholesky.hpp"
#include "kernmix/kernel/source.hpp"

namespace kernmix {

/// Pivots P and interpolation coefficients X = L L[P, :]^-1 of a factorisation L: row P of X is I.
struct SharedBasis {
  std::vector<Index> pivots;  ///< numbers of samples
  Matrix columns;             ///< X', r x n
  Matrix gram;                ///< X'X

  [[nodiscard]] Index rank() const { return columns.rows; }
};

/// X' = L[P, :]^-T L' on samples [begin, begin + columns.cols) of what `pivot_rows` = L[P, :]
/// belongs to, in place of L'.
void interpolate(const Matrix& pivot_rows, Matrix& columns);

/// L[P, :] of a factorisation.
[[nodiscard]] Matrix pivot_rows(const Factorization& found);

/// \param samples  the numbers of the samples that `found` is about
[[nodiscard]] SharedBasis shared_basis(const Factorization& found, std::span<const Index> samples);

/// False where a few entries say that the basis does not hold the kernel.
[[nodiscard]] bool may_hold(const SharedBasis& basis, const KernelSource& source,
                            std::span<const Index> samples);

/// What the basis leaves out in feature space, summed over the samples:
///   sum_i |phi(x_i) - sum_p X_ip phi(x_p)|^2 = trace K - 2 <X, K[:, P]> + <X'X, K[P, P]>
/// from r rows of K. Where this is at most tolerance * trace K: G' (k x r) with G G' = K[P, P].
[[nodiscard]] std::optional<Matrix> core_in(const SharedBasis& basis, const KernelSource& source,
                                            std::span<const Index> samples, double tolerance,
                                            const Context& context);

/// G' (k x r) with G G' = C but for rounding, C positive semidefinite.
[[nodiscard]] Matrix core_factor(const Matrix& C, const Context& context);

}  // namespace kernmix
