#pragma once
/// \file
/// The score of a permutation test.

#include <string>

#include "kernmix/selection/scores.hpp"

namespace kernmix {

/// \param name empty: the default for the target of `options` \throws ParameterError for an unknown
/// name, and for losses without labels
[[nodiscard]] ScoreRule rule_of_test(const std::string& name, const Dataset& data,
                                     const TrainOptions& options);

}  // namespace kernmix
