#pragma once
/// \file
/// Whether sample weights are related to the labels: permutations of labels then have to move them.

#include <string>
#include <vector>

#include "kernmix/train.hpp"

namespace kernmix {

/// Whether the weights are a function of the class, such as n / (K n_k), or are correlated with
/// labels or numbers (ranks of the units, p < 0.001 over all labels). The answer depends on pairs
/// of label and weight only, so it is the same for all permutations that move both. \param options
/// its weights and groups; a group is one unit
[[nodiscard]] bool weights_follow_labels(const Dataset& data, const TrainOptions& options);

/// The weights of samples with labels in this order; they stay unless they `follow` the labels.
[[nodiscard]] Vector weights_in_order(const Vector& weights, const std::vector<Index>& order,
                                      bool follow);

/// The warning weights-follow-labels.
[[nodiscard]] Warning warning_of_weights(const Dataset& data, const TrainOptions& options);

}  // namespace kernmix
