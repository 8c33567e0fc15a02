#pragma once
/// \file
/// Dual vectors from outside: a feasible one, and how far it may be stretched, t a in A.

#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// `a` with the sums that `set` holds exactly, where it was feasible up to rounding.
/// \throws ParameterError when `a` leaves its box by more than 1e-9 C
[[nodiscard]] Vector feasible_in(const DualSet& set, ConstSpan C, ConstSpan a);

/// The longest t, at most 2, for which t a stays in the set; 1 where a held sum forbids any
/// scaling.
[[nodiscard]] double longest_scale(const DualSet& set, ConstSpan a);

/// True where the entries of every a in the set add up to zero.
[[nodiscard]] bool sums_to_zero(const DualSet& set);

/// True where t a is in the set for t < 1 as well.
[[nodiscard]] bool may_scale(const DualSet& set);

}  // namespace kernmix
