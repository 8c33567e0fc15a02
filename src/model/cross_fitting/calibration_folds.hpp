#pragma once
/// \file
/// Which samples the probabilities of a model are fitted to, and what they need of the data.

#include <cstdint>
#include <vector>

#include "kernmix/folds.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// Classes are spread evenly over the folds, which labels cannot be; groups stay together.
/// \param groups  of each sample, or empty;  \param weights  how often each sample counts in the
/// size of its group; {}: once
[[nodiscard]] std::vector<Fold> calibration_folds(const TaskTargets& targets,
                                                  const std::vector<Index>& groups,
                                                  ConstSpan weights, Index folds,
                                                  std::uint64_t seed);

/// Every fold has samples of either side to train with and, but for labels and groups, to test.
/// \throws DataError, ParameterError where the options ask for a calibration that cannot be
void require_samples_to_calibrate(const TrainOptions& options, const TaskSet& set);

}  // namespace kernmix
