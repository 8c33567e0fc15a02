#pragma once
/// \file
/// One number for how good predictions are.

#include <string>

#include "kernmix/selection/scores.hpp"

namespace kernmix {

/// \param name  empty: the default one of what `options` learn from `data`
/// \throws ParameterError for an unknown name, and for losses that learn without labels
[[nodiscard]] ScoreRule rule_of_test(const std::string& name, const Dataset& data,
                                     const TrainOptions& options);

}  // namespace kernmix
