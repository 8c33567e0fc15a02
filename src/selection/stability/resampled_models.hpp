#pragma once
/// \file
/// The shares of kernels in models of resamples.

#include "kernmix/selection/stability.hpp"
#include "selection/stability/frozen_kernels.hpp"
#include "selection/stability/resamples.hpp"

namespace kernmix {

/// A labelling of the samples and the resamples that are drawn of it.
struct ResampledData {
  Dataset data;              ///< FrozenKernels::training(), perhaps with other labels
  std::vector<Index> order;  ///< of these labels; empty: their own
  std::vector<Resample> resamples;
};

/// Of each labelling, one after the other, the shares in the models of its resamples.
struct ResampledShares {
  std::vector<std::vector<Matrix>> of;  ///< those that were finished, in order; as shares_of
  std::vector<Index> unfinished;        ///< of each labelling: models that time had no room for
  Index label_missing = 0;  ///< resamples without any, or with all, of the samples of some label
  Index missed = 0;         ///< models that did not reach the tolerance
};

/// The kernels of all samples, or how to make them of each resample.
struct ResampledKernels {
  const FrozenKernels& frozen;  ///< of all samples
  const TrainOptions& options;  ///< that made them
  const FittedSteps& steps;     ///< empty: `frozen` are those of every resample
};

/// \throws as train(), and DataError for steps that lead to other kernels
[[nodiscard]] ResampledShares train_resamples(const std::vector<ResampledData>& labellings,
                                              const ResampledKernels& kernels,
                                              const Context& context);

}  // namespace kernmix
