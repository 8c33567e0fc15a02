#pragma once
/// \file
/// The average precision of a ranking by chance.

#include <span>

#include "metrics/threshold_steps.hpp"

namespace kernmix {

/// The rows of a ranking. Labels belong to units, independent of each other: samples or groups.
struct RankedRows {
  ConstSpan y;                  ///< +1 or -1
  ConstSpan decision;           ///< of each row
  ConstSpan weights;            ///< of each row; {}: all 1
  std::span<const Index> unit;  ///< of each row, any numbers
};

/// The mean of the average precision over all permutations of the labels of the units, which keep
/// their decision values and weights.
/// \param steps of these rows, with both classes
[[nodiscard]] double precision_by_chance(const RankedRows& rows, const ThresholdSteps& steps);

}  // namespace kernmix
