#pragma once
/// \file
/// What is learned of the shares of kernels and views in many models.

#include <vector>

#include "kernmix/selection/stability.hpp"

namespace kernmix {

/// The place of each kernel's view among the views, which are in the order of first use.
struct ViewsOfKernels {
  std::vector<std::string> names;
  std::vector<Index> of_kernel;

  explicit ViewsOfKernels(const std::vector<KernelDescription>& kernels);
  /// Of each view the kernels that read it.
  [[nodiscard]] std::vector<std::vector<Index>> kernels() const;
};

/// d / sum d; zeros where no kernel has weight.
[[nodiscard]] Vector shares_of(ConstSpan d);

/// The rows of shares, which begin with those of all tasks together: 1 x M, or (1 + T) x M where
/// each task has weights of its own.
[[nodiscard]] Matrix shares_of(const Model& model);

/// The quantile of sorted numbers as numpy takes it: linear between neighbours.
/// \param at  in [0, 1]
[[nodiscard]] double quantile(ConstSpan sorted, double at);

/// \param name  of the task;  \param whole  M shares of the model of all samples
/// \param resampled  R x M
[[nodiscard]] TaskStability summarise(const std::string& name, ConstSpan whole,
                                      const Matrix& resampled, const ViewsOfKernels& views,
                                      const StabilityOptions& options);

/// The mean number of shares in a row that are larger than the threshold.
[[nodiscard]] double mean_chosen(const Matrix& shares, double threshold);

/// How many columns have such a share in at least `often` of the rows.
[[nodiscard]] Index count_stable(const Matrix& shares, double threshold, double often);

}  // namespace kernmix
