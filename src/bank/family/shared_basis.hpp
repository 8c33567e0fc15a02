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
  Matrix signs_on_places;     ///< random_signs() times X, in rows of r

  [[nodiscard]] Index rank() const { return columns.rows; }
};

/// X' = L[P, :]^-T L' on samples [begin, begin + columns.cols) of what `pivot_rows` = L[P, :]
/// belongs to, in place of L'.
void interpolate(const Matrix& pivot_rows, Matrix& columns);

/// A few vectors s of random signs, in rows: |s'A|^2 is |A|^2 in the mean, whatever A.
[[nodiscard]] Matrix random_signs(Index samples);

/// L[P, :] of a factorisation.
[[nodiscard]] Matrix pivot_rows(const Factorization& found);

/// \param pivot_rows  those of `found`, whose pivots and columns it takes over
/// \param signs       random_signs()
[[nodiscard]] SharedBasis shared_basis(Factorization& found, const Matrix& pivot_rows,
                                       const Matrix& signs);

/// False where row `place` of a kernel, on the samples of the basis, says that it is not held but
/// for a residual trace of `missing`.
/// \param coefficients  X[place, :]
[[nodiscard]] bool may_hold(const SharedBasis& basis, Index place, ConstSpan coefficients,
                            const float* row, double missing);

/// The core of a kernel K = L L' in the basis: G = L[P, :], as G' (k x r), where X G is L, that is
/// where |L - X G|^2 <= tolerance * trace, as far as a few vectors of random signs tell.
[[nodiscard]] std::optional<Matrix> core_in(const SharedBasis& basis, const Matrix& signs,
                                            const Factorization& kernel, double trace,
                                            double tolerance);

/// G' (k x r) with G G' = C but for rounding, C positive semidefinite.
[[nodiscard]] Matrix core_factor(const Matrix& C, const Context& context);

}  // namespace kernmix
