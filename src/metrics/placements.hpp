#pragma once
/// \file
/// Contributions of single samples to the area under the ROC curve (DeLong et al. 1988).

#include <vector>

#include "kernmix/types.hpp"
#include "metrics/threshold_steps.hpp"

namespace kernmix {

/// placement[i]: share of the other class relative to which sample i is ranked correctly; ties
/// count one half.
/// \param curve  threshold_steps of the same values, both classes present
[[nodiscard]] Vector placements(ConstSpan y, ConstSpan decision, const ThresholdSteps& curve);

/// Sample variance of the placements of one class, or of differences of them, divided by its size.
/// \param sign of the class, which has at least two samples; \param mean of its placements
[[nodiscard]] double squared_error(ConstSpan y, ConstSpan placement, double sign, double mean);

}  // namespace kernmix
