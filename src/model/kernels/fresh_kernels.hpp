#pragma once
/// \file
/// Kernels between training samples and new samples that many models predict.

#include <vector>

#include "model/kernels/kernel_cache.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {

/// Evaluated once for all models on the same kernels.
class FreshKernels {
 public:
  /// \param kept  of the training samples  \param fresh  new samples; both must outlive it
  FreshKernels(KernelCache& kept, const Loss& loss, const Dataset& fresh, const Context& context);

  /// Bytes of the kernels between these numbers of samples.
  [[nodiscard]] static std::size_t bytes(std::size_t kernels, Index training, Index fresh);

  [[nodiscard]] bool are_of(const Dataset& fresh) const { return fresh_ == &fresh; }
  /// The kernels with weight in the model, on its support vectors.
  [[nodiscard]] PredictionKernels of(const Model& model) const;

 private:
  const Dataset* fresh_;
  std::vector<KernelSourcePtr> sources_;  ///< new samples x training samples
};

}  // namespace kernmix
