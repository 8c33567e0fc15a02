#pragma once
/// \file
/// How far the samples are from the margin. With g the gradient K(d) a + diag a - linear of what
/// SMO minimises and b the level of its free variables, the room of sample i is
///
///   min(rising_i - b, b - falling_i)
///
/// of the one-sided derivatives of its term, both g_i but where a_i is at a bound or kink.

#include "kernmix/loss.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// How far the decision value of each sample is from where its a_i leaves its bound or kink:
/// about 0 where it is free, below 0 on the wrong side, infinite where it cannot move. The loss
/// must satisfy HasQuadraticDual. \param z  K(d) a
[[nodiscard]] Vector room_at_margin(const Problem& problem, const DualSet& set, ConstSpan a,
                                    ConstSpan z);

}  // namespace kernmix
