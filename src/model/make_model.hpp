#pragma once
/// \file
/// A model from what training found.

#include "kernmix/train.hpp"
#include "model/pipeline.hpp"
#include "model/solving/solve_tasks.hpp"

namespace kernmix {

/// Mean weights over the tasks, and the norms of all their functions together: of length M.
struct WeightedKernels {
  Vector weights;
  Vector norms;
};
/// The mean of some rows.
[[nodiscard]] Vector mean_weights(const Matrix& weights, const std::vector<Index>& tasks);

/// Means of weights over the tasks that have functions, and norms of all of them together.
/// \param weights  1 x M or T x M;  \param norms  T x M
[[nodiscard]] WeightedKernels over_tasks(const Matrix& weights, const Matrix& norms);

/// The results of a run for the construction of models.
struct TrainedTasks {
  const Dataset& data;
  const TrainOptions& options;
  const TaskSet& set;
  const TrainingKernels& kernels;
  Status status;
  bool for_use = true;  ///< false for a model that is only scored, without fingerprint of the data
};

[[nodiscard]] Model make_model(const TrainedTasks& trained, const TasksAnswer& answer,
                               const Context& context);

/// Memory during the whole run in addition to stored kernels.
[[nodiscard]] std::size_t data_bytes(const Dataset& data, const TrainingKernels& kernels);

}  // namespace kernmix
