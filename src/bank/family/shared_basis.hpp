#pragma once
/// \file
/// Test whether the basis of one kernel represents another one.

#include <optional>

#include "bank/family/incomplete_cholesky.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Pivots P and interpolation coefficients X = L L[P, :]^-1 of a factorisation L: row P of X is I.
struct SharedBasis {
  std::vector<Index> places;  ///< of P among the samples that the basis is about
  Matrix columns;             ///< X', r x n
  Matrix probes;              ///< vectors of random signs, in rows of n
  Matrix probes_on_places;    ///< these times X, in rows of r

  [[nodiscard]] Index rank() const { return columns.rows; }
};

/// X' = L[P, :]^-T L' on samples [begin, begin + columns.cols) of what `pivot_rows` = L[P, :]
/// belongs to, in place of L'.
void interpolate(const Matrix& pivot_rows, Matrix& columns);

/// L[P, :] of a factorisation.
[[nodiscard]] Matrix pivot_rows(const Factorization& found);

/// \param pivot_rows  those of `found`
[[nodiscard]] SharedBasis shared_basis(Factorization found, const Matrix& pivot_rows);

/// False where row `place` of a kernel, on the samples of the basis, says that it is not held but
/// for a residual trace of `missing`.
/// \param coefficients  X[place, :]
[[nodiscard]] bool may_hold(const SharedBasis& basis, Index place, ConstSpan coefficients,
                            const float* row, double missing);

/// The core of a kernel K = L L' in the basis: G = L[P, :], as G' (k x r), where X G is L, that is
/// where |L - X G|^2 <= tolerance * trace, as far as a few vectors of random signs tell.
[[nodiscard]] std::optional<Matrix> core_in(const SharedBasis& basis, const Factorization& kernel,
                                            double trace, double tolerance);

/// G' (k x r) with G G' = C but for rounding, C positive semidefinite.
[[nodiscard]] Matrix core_factor(const Matrix& C, const Context& context);

}  // namespace kernmix
