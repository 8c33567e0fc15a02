#pragma once
/// \file
/// What makes selection frequencies and intervals mean less than they seem to.

#include "kernmix/selection/stability.hpp"

namespace kernmix {

/// What the resamples were made of, beside the result.
struct StabilityFacts {
  const std::vector<Index>& classes;  ///< of each sample; all equal without classes
  const Dataset& data;
  Index label_missing = 0;  ///< resamples left out
  Index missed = 0;         ///< models that missed the tolerance
  Index null_runs = 0;      ///< that were asked for
  bool has_labels = true;
};

[[nodiscard]] std::vector<Warning> stability_warnings(const Stability& result,
                                                      const StabilityFacts& facts);

}  // namespace kernmix
