#pragma once
/// \file
/// The samples between which the variance of a kernel is measured.

#include <map>
#include <span>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "model/pipeline.hpp"

namespace kernmix {

/// representative_samples() in the columns of each kernel, shared by kernels on the same columns.
class Representatives {
 public:
  /// \param samples  n  \param kernels  with their widths fitted
  Representatives(TrainingKernels& kernels, Index samples, const Context& context);

  /// {} (all samples) for at most 1000 samples; places among those that have the view.
  [[nodiscard]] std::span<const Index> of(Index kernel) const;

 private:
  std::vector<const std::vector<Index>*> of_kernel_;  ///< null: all
  std::map<const void*, std::vector<Index>> samples_;
  std::map<Index, std::vector<Index>> of_matrices_;  ///< evenly spaced, by the number of samples
};

}  // namespace kernmix
