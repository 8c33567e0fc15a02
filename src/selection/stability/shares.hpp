#pragma once
/// \file
/// Statistics of the shares of kernels and views in many models.

#include <vector>

#include "kernmix/selection/stability.hpp"

namespace kernmix {

/// The view of each kernel, as an index into the views in order of first use.
struct ViewsOfKernels {
  std::vector<std::string> names;
  std::vector<Index> of_kernel;
  std::vector<bool> identities = {};  ///< shares_in_views() leaves these out; empty: none

  ViewsOfKernels(const std::vector<KernelDescription>& kernels, const ViewOfMatrix& view_of_matrix);
  /// The kernels of each view.
  [[nodiscard]] std::vector<std::vector<Index>> kernels() const;
};

/// d / sum d; zeros if all weights are zero.
[[nodiscard]] Vector shares_of(ConstSpan d);

/// The shares over all tasks, followed by those of separate tasks: 1 x M, or (1 + T) x M for
/// separate weights.
[[nodiscard]] Matrix shares_of(const Model& model);

/// The quantile of sorted numbers by linear interpolation, as in numpy.
/// \param at  in [0, 1]
[[nodiscard]] double quantile(ConstSpan sorted, double at);

/// \param name  of the task;  \param whole  M shares of the model of all samples
/// \param resampled  R x M
[[nodiscard]] TaskStability summarise(const std::string& name, ConstSpan whole,
                                      const Matrix& resampled, const ViewsOfKernels& views,
                                      const StabilityOptions& options);

/// The mean number of shares in a row above the threshold.
[[nodiscard]] double mean_chosen(const Matrix& shares, double threshold);

/// How many columns have such a share in at least `often` of the rows.
[[nodiscard]] Index count_stable(const Matrix& shares, double threshold, double often);

}  // namespace kernmix
