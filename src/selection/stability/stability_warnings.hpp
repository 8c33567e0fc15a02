#pragma once
/// \file
/// Conditions that limit the interpretation of selection frequencies and intervals.

#include "kernmix/folds.hpp"
#include "kernmix/selection/stability.hpp"

namespace kernmix {

/// Facts about the resamples in addition to the result.
struct StabilityFacts {
  const Strata& strata;  ///< classes are all equal without classes
  const Dataset& data;
  Index label_missing = 0;  ///< excluded resamples
  Index missed = 0;         ///< models that missed the tolerance
  Index null_runs = 0;      ///< requested number
  bool has_labels = true;
};

[[nodiscard]] std::vector<Warning> stability_warnings(const Stability& result,
                                                      const StabilityFacts& facts);

}  // namespace kernmix
