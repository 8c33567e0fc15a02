#pragma once
/// \file
/// The folds of calibration, and their requirements on the data.

#include <cstdint>
#include <vector>

#include "kernmix/folds.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// Folds are stratified by class (not by label); groups stay together. \param groups of each
/// sample, or empty; \param weights of samples in the size of their group; {}: all 1
[[nodiscard]] std::vector<Fold> calibration_folds(const TaskTargets& targets,
                                                  const std::vector<Index>& groups,
                                                  ConstSpan weights, Index folds,
                                                  std::uint64_t seed);

/// Checks that every fold has training samples and, except for labels and groups, test samples with
/// both values of each output. \throws DataError, ParameterError if the requested calibration is
/// impossible
void require_samples_to_calibrate(const TrainOptions& options, const TaskSet& set);

}  // namespace kernmix
