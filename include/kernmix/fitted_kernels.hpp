#pragma once
/// \file
/// The base kernels of a training set without a model.

#include <memory>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The kernels of training on `data`: without expressions default_kernels on every view, and
/// Gram matrices as they are. Relative widths are not computed yet.
/// \param options  kernels, normalization, and loss and bias, which determine their defaults
/// \throws ParameterError as expand_kernels of views, or if there is no view
[[nodiscard]] std::vector<KernelDescription> expand_kernels(const Dataset& data,
                                                            const TrainOptions& options);

/// Every entry of each kernel, M x rows x cols; all kernels have the same samples.
[[nodiscard]] Vector all_entries(const std::vector<KernelSourcePtr>& sources,
                                 const Context& context);

struct TrainingKernels;

/// Kernels with everything that is fitted on the training samples: scaling, widths, normalisation.
/// Kernel matrices are not stored.
class FittedKernels {
 public:
  /// \param options  as in expand_kernels(), and the scaling
  /// \throws ParameterError, DataError as train() does
  FittedKernels(std::shared_ptr<const Dataset> training, const TrainOptions& options,
                const Context& context);

  [[nodiscard]] const std::vector<KernelDescription>& descriptions() const;
  [[nodiscard]] const std::vector<FittedNormalization>& normalizations() const;
  /// The columns that the kernels read, by view, with their scaling rules.
  [[nodiscard]] const std::vector<ScaledView>& scaled_views() const;
  /// Each n x n.
  [[nodiscard]] const std::vector<KernelSourcePtr>& training() const;
  /// Each new samples x training samples; `fresh` must outlive them. \throws DataError for a
  /// column or matrix that is missing or of another shape
  [[nodiscard]] std::vector<KernelSourcePtr> between(const Dataset& fresh) const;

 private:
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<TrainingKernels> kernels_;
};

}  // namespace kernmix
