#pragma once
/// \file
/// The feasible set of the dual: a box for each sample and, with a free bias, sum a = 0.

#include "kernmix/loss/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// lower <= a <= upper, both of length n.
struct DualBox {
  Vector lower;
  Vector upper;
};

[[nodiscard]] DualBox dual_box(const Loss& loss, ConstSpan y, ConstSpan C);

/// Clips `a` to the box (which must contain 0) and makes sum a = 0 by scaling the larger of the
/// positive and the negative side down: any vector becomes feasible (methods 1.3.3).
void make_feasible(ConstSpan lower, ConstSpan upper, MutableSpan a);

}  // namespace kernmix
