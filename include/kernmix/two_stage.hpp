#pragma once
/// \file
/// Two-stage methods: weights w = rule(K_1, ..., K_M, y) before training.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"

namespace kernmix {

/// problem.regularizer with the weights of its rule; unchanged without a rule or if the
/// weights are known. solve() calls it; call it before certify().
/// \throws DataError if the rule gives no weights for these kernels and targets
[[nodiscard]] Regularizer choose_weights(const Problem& problem, const Context& context);

}  // namespace kernmix
