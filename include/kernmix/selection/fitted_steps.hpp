#pragma once
/// \file
/// Preprocessing that is fitted to samples, such as imputation: it is refitted for each model that
/// is trained on some of the samples.

#include <functional>
#include <memory>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// The samples on which preprocessing is fitted.
struct StepSamples {
  std::vector<Index> rows;  ///< ascending, repeated as often as drawn
  std::vector<Index>
      label_order;  ///< sample i has the label of sample label_order[i]; empty: no permutation
};

/// Returns all samples after preprocessing fitted on the given ones; their labels are not used.
/// Must be safe for concurrent calls. Empty: no preprocessing.
using FittedSteps = std::function<std::shared_ptr<const Dataset>(const StepSamples& samples)>;

}  // namespace kernmix
