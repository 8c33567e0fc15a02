#pragma once
/// \file
/// The shares of kernels in models of resamples.

#include "kernmix/selection/stability.hpp"
#include "selection/stability/precomputed_kernels.hpp"
#include "selection/stability/resamples.hpp"

namespace kernmix {

/// A labelling of the samples and its resamples.
struct ResampledData {
  Dataset data;              ///< PrecomputedKernels::training(), possibly with permuted labels
  std::vector<Index> order;  ///< of the labels; empty: not permuted
  std::vector<Resample> resamples;
};

/// For each labelling the shares in the models of its resamples.
struct ResampledShares {
  std::vector<std::vector<Matrix>> of;  ///< finished models in order; as shares_of
  std::vector<Index> unfinished;        ///< number of unfinished models of each labelling
  Index label_missing = 0;              ///< resamples in which no or all samples have some label
  Index missed = 0;                     ///< models that did not reach the tolerance
};

/// The kernels of all samples, or the preprocessing to compute them for each resample.
struct ResampledKernels {
  const PrecomputedKernels& frozen;  ///< of all samples
  const TrainOptions& options;       ///< of these kernels
  const FittedSteps& steps;          ///< empty: `frozen` is used for every resample
  bool weights_follow = false;       ///< sample weights move with permuted labels
};

/// \throws as train(), and DataError for steps that change the set of kernels
[[nodiscard]] ResampledShares train_resamples(const std::vector<ResampledData>& labellings,
                                              const ResampledKernels& kernels,
                                              const Context& context);

}  // namespace kernmix
