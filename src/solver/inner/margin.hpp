#pragma once
/// \file
/// Which samples an SVM at other weights may move: those near the margin.

#include "kernmix/loss/feasible.hpp"
#include "kernmix/problem.hpp"
#include "solver/inner/inner_result.hpp"

namespace kernmix {

/// How far the decision value of each sample is from where its a_i leaves its bound or kink:
/// about 0 where it is free, below 0 on the wrong side, infinite where it cannot move. The loss
/// must satisfy HasQuadraticDual.
[[nodiscard]] Vector room_at_margin(const Problem& problem, const DualSet& set,
                                    const KnownProduct& known);

}  // namespace kernmix
