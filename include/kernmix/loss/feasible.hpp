#pragma once
/// \file
/// The feasible set A of the dual: a box, and sums of a that are held.

#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// lower <= a <= upper, and for every block c the sum of a over the samples of c equals totals[c].
/// Bounds may be infinite. A free bias is one block with total 0; without a bias there is none.
struct DualSet {
  Vector lower;              ///< length n
  Vector upper;              ///< length n
  std::vector<Index> block;  ///< block of each sample; empty where no sum is held
  Vector totals;             ///< one for each block

  [[nodiscard]] bool balanced() const { return !totals.empty(); }
};

/// Clips `a` to the box and brings every block to its total by moving the samples of one sign
/// towards 0 and, where that is not enough, all samples towards one bound: any vector becomes
/// feasible. Sums that hold but for rounding are left alone. The set must not be
/// empty.
void make_feasible(const DualSet& set, MutableSpan a);

}  // namespace kernmix
