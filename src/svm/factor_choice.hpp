#pragma once
/// \file
/// Whether the inner problem is solved on a factor of K(d) or on the matrix itself.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Whether a factor with this number of columns is faster than the matrix according to the model of
/// time (docs/reference/solvers/semismooth-newton.md); then so are fewer columns.
/// \param moves of SMO for the last weights, 0 if unknown: SMO is slow for large C
[[nodiscard]] bool factor_is_faster(const Loss& loss, Index n, Index columns, Index moves);

/// True if the factor is faster, or if an n x n matrix in addition to the bank exceeds the memory
/// budget.
[[nodiscard]] bool prefers_factor(const Loss& loss, Index n, Index columns, Index moves,
                                  std::size_t bank_bytes, const Context& context);
/// The same at the weights d; false where the bank has no factor of K(d).
[[nodiscard]] bool prefers_factor(const Problem& problem, ConstSpan d, Index moves,
                                  const Context& context);

/// The number of moves after which SMO has taken twice the time of the factor; 0 without a factor.
[[nodiscard]] Index moves_worth_a_factor(const Problem& problem, ConstSpan d);

}  // namespace kernmix
