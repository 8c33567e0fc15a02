#pragma once
/// \file
/// Steps before the kernels that learn from samples, such as filling in missing values: they are
/// fitted again wherever models are trained on some of the samples.

#include <functional>
#include <memory>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// What steps learn from.
struct StepSamples {
  std::vector<Index> rows;  ///< ascending, each as often as it was drawn
  std::vector<Index>
      label_order;  ///< sample i has the label of sample label_order[i]; empty: its own
};

/// All samples, as the steps make them that were fitted on some; the labels are not looked at. It
/// is called from several threads at once. Empty where there are no steps.
using FittedSteps = std::function<std::shared_ptr<const Dataset>(const StepSamples& samples)>;

}  // namespace kernmix
