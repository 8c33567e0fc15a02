#pragma once
/// \file
/// One number for how good predictions are.

#include <string>

#include "kernmix/metrics.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// What a score is called and which way it goes.
struct ScoreKind {
  std::string name;
  bool larger_is_better = true;
};

/// \param name  empty: the usual one of what `options` learn from `data`
/// \throws ParameterError naming the known ones
[[nodiscard]] ScoreKind score_kind(const std::string& name, const Dataset& data,
                                   const TrainOptions& options);

/// \throws DataError where the metric has no value, as when a class is missing
[[nodiscard]] double score_of(const std::string& name, const Model& model, const Table& truth,
                              const Prediction& prediction);

}  // namespace kernmix
