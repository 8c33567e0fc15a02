#pragma once
/// \file
/// Feasibility of given dual vectors, and the range of t with t a in A.

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// `a`, feasible up to rounding, corrected to the exact sums of `set`. \throws ParameterError if
/// `a` leaves its box by more than 1e-9 C
[[nodiscard]] Vector feasible_in(const DualSet& set, ConstSpan C, ConstSpan a);

/// The longest t, at most 2, for which t a stays in the set; 1 if a fixed sum forbids scaling.
[[nodiscard]] double longest_scale(const DualSet& set, ConstSpan a);

/// True if the entries of every a in the set sum to zero.
[[nodiscard]] bool sums_to_zero(const DualSet& set);

/// True if t a is also in the set for t < 1.
[[nodiscard]] bool may_scale(const DualSet& set);

}  // namespace kernmix
