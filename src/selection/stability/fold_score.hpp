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

/// \throws DataError where the metric has no value, as when a class is missing; ParameterError
/// where the model has no such metric
[[nodiscard]] double score_of(const std::string& name, const Model& model, const Table& truth,
                              const Prediction& prediction);

}  // namespace kernmix
