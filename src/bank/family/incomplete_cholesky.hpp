#pragma once
/// \file
/// Pivoted incomplete Cholesky factorisation, K ~ L L', of a kernel that is accessed by rows.

#include <functional>
#include <optional>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// L stands transposed: a column of L is contiguous.
struct Factorization {
  enum class Outcome {
    complete,    ///< the residual is within the tolerance, or at the level of rounding
    too_long,    ///< more than the allowed rank would be needed
    not_finite,  ///< an entry of K is not finite
    indefinite   ///< the residual has a clearly negative diagonal
  };
  Outcome outcome = Outcome::complete;
  Matrix columns;             ///< rank x n: L'
  std::vector<Index> pivots;  ///< the positions that `columns` belong to
  Vector residual;            ///< diagonal of K - L L', as computed
  [[nodiscard]] Index rank() const { return columns.rows; }
};

/// A symmetric positive semidefinite n x n matrix by its diagonal and its rows.
struct RowwiseMatrix {
  Vector diagonal;
  /// Writes K[p, begin .. end).
  std::function<void(Index p, Index begin, Index end, double* out)> row;
  /// The matrix where it lies in memory: read there, after its row was asked for ahead of time.
  std::optional<KernelSource::Stored> stored = std::nullopt;
};

/// Room for `rank` columns and for more, which makes copies of long columns rare.
void reserve_columns(Vector& columns, Index rank, Index n);

/// K[index, index] of a source. Borrows both.
[[nodiscard]] RowwiseMatrix rowwise(const KernelSource& source, std::span<const Index> index);
/// The same, of that diagonal.
[[nodiscard]] RowwiseMatrix rowwise(const KernelSource& source, std::span<const Index> index,
                                    Vector diagonal);

/// Harbrecht, Peters and Schneider (2012): greedy pivots, stop at
///   trace(K - L L') <= tolerance * trace(K)   or   max diag(K - L L') <= rounding.
/// Below the second bound the residual is rounding noise, and its columns would be too. It is
/// rounding_level() or, where it shows in negative residuals, what the entries of K bring along: a
/// centred kernel is a difference of larger numbers.
[[nodiscard]] Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance,
                                                Index most_rank, const Context& context);

/// Continues `begun`, a factorisation by given pivots.
[[nodiscard]] Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance,
                                                Index most_rank, Factorization begun,
                                                const Context& context);

/// Factorises several matrices, one column of each in turn, so that memory accesses of one overlap
/// with computations of the others.
[[nodiscard]] std::vector<Factorization> incomplete_cholesky(
    std::span<const RowwiseMatrix> matrices, double tolerance, Index most_rank,
    const Context& context);

/// What rounding leaves of a residual diagonal of entries up to `largest` after `rank` columns.
[[nodiscard]] double rounding_level(Index rank, double largest);

}  // namespace kernmix
