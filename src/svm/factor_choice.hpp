#pragma once
/// \file
/// Whether the inner problem is solved on a factor of K(d) or on the matrix itself.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Whether the model of the time says that a factor of so many columns is faster than the matrix
/// (docs/reference/solvers/semismooth-newton.md); where it does, fewer columns are, too.
/// \param moves  that SMO made for its last weights, 0 where that is not known: it crawls for large
/// C
[[nodiscard]] bool factor_is_faster(const Loss& loss, Index n, Index columns, Index moves);

/// True where that is so or an n x n matrix is more than the memory budget leaves beside the bank.
[[nodiscard]] bool prefers_factor(const Loss& loss, Index n, Index columns, Index moves,
                                  std::size_t bank_bytes, const Context& context);
/// The same at the weights d; false where the bank has no factor of K(d).
[[nodiscard]] bool prefers_factor(const Problem& problem, ConstSpan d, Index moves,
                                  const Context& context);

/// The moves after which SMO has taken twice the time that the factor would; 0 without a factor.
[[nodiscard]] Index moves_worth_a_factor(const Problem& problem, ConstSpan d);

}  // namespace kernmix
