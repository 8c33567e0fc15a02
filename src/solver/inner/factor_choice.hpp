#pragma once
/// \file
/// Whether the inner problem is solved on a factor of K(d) or on the matrix itself.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Whether the model of the time says that a factor of so many columns is faster than the matrix
/// (docs/solvers/semismooth-newton.md); where it does, fewer columns are, too.
/// \param moves  that SMO made for its last weights, 0 where that is not known: it crawls for large
/// C
[[nodiscard]] bool factor_is_faster(const Loss& loss, Index n, Index columns, Index moves);

/// True where the bank has a factor of K(d) and either that is faster or an n x n matrix is more
/// than the memory budget leaves.
[[nodiscard]] bool prefers_factor(const Problem& problem, ConstSpan d, Index moves,
                                  const Context& context);

/// The moves after which SMO has taken twice the time that the factor would; 0 without a factor.
[[nodiscard]] Index moves_worth_a_factor(const Problem& problem, ConstSpan d);

}  // namespace kernmix
