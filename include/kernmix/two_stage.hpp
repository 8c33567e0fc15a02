#pragma once
/// \file
/// First stages: weights w = rule(K_1, ..., K_M, y) before anything is trained.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// problem.regularizer with the weights that its rule finds; unchanged where it has no rule or the
/// weights are known. solve() does this itself; certify() needs it done.
/// \throws DataError where the rule finds no weights for these kernels and targets
[[nodiscard]] Regularizer choose_weights(const Problem& problem, const Context& context);

}  // namespace kernmix
