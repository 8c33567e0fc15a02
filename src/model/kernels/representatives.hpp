#pragma once
/// \file
/// The samples between which the variance of a kernel is measured.

#include <map>
#include <span>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "model/feature_columns.hpp"

namespace kernmix {

/// representative_samples() in the columns of each kernel, shared by kernels on the same columns.
class Representatives {
 public:
  /// \param samples  n  \param kernels  with their widths fitted
  Representatives(const std::vector<KernelDescription>& kernels, FeatureColumns& features,
                  Index samples, const Context& context);

  /// {} (all samples) for at most 1000 samples.
  [[nodiscard]] std::span<const Index> of(Index kernel) const;

 private:
  std::vector<const void*> reads_;  ///< address of the values of each kernel
  std::map<const void*, std::vector<Index>> samples_;
  std::vector<Index> of_matrices_;  ///< evenly spaced in the given order
};

}  // namespace kernmix
