#pragma once
/// \file
/// Distances of the samples from the margin. With the gradient g = K(d) a + diag a - linear of
/// SMO's objective and b the level of its free variables, the room of sample i is
///
///   min(rising_i - b, b - falling_i)
///
/// with the one-sided derivatives of its term, both equal to g_i unless a_i is at a bound or kink.

#include "kernmix/loss.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Distance of the decision value of each sample from the value at which a_i leaves its bound or
/// kink: about 0 for free samples, negative on the wrong side, infinite if a_i cannot move. The
/// loss must satisfy HasQuadraticDual. \param z K(d) a
[[nodiscard]] Vector room_at_margin(const Problem& problem, const DualSet& set, ConstSpan a,
                                    ConstSpan z);

}  // namespace kernmix
