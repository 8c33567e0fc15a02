#pragma once
/// \file
/// The base kernels of a training set by themselves, for whoever wants kernels and no model.

#include <memory>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// What training on `data` takes for kernels: of no expressions default_kernels on every view, and
/// Gram matrices as they are. Widths that follow from data are not known yet.
/// \param options  kernels, normalization, and what decides the defaults of both: loss and bias
/// \throws ParameterError as expand_kernels of views, or where there is no view
[[nodiscard]] std::vector<KernelDescription> expand_kernels(const Dataset& data,
                                                            const TrainOptions& options);

/// Every entry of each kernel, M x rows x cols; all kernels have the same samples.
[[nodiscard]] Vector all_entries(const std::vector<KernelSourcePtr>& sources,
                                 const Context& context);

struct TrainingKernels;

/// Kernels with everything that they learn from training samples: scaling, widths, normalisation.
/// No kernel is stored.
class FittedKernels {
 public:
  /// \param options  as of expand_kernels(), and the scaling
  /// \throws ParameterError, DataError as train() does
  FittedKernels(std::shared_ptr<const Dataset> training, const TrainOptions& options,
                const Context& context);

  [[nodiscard]] const std::vector<KernelDescription>& descriptions() const;
  [[nodiscard]] const std::vector<FittedNormalization>& normalizations() const;
  /// The columns that the kernels read, by view, with the rules that they are scaled by.
  [[nodiscard]] const std::vector<ScaledView>& scaled_views() const;
  /// n x n, each.
  [[nodiscard]] const std::vector<KernelSourcePtr>& training() const;
  /// New samples x training samples, each; `fresh` must outlive them. \throws DataError for a
  /// column or matrix that is missing or of another shape
  [[nodiscard]] std::vector<KernelSourcePtr> between(const Dataset& fresh) const;

 private:
  std::shared_ptr<const Dataset> data_;
  std::shared_ptr<TrainingKernels> kernels_;
};

}  // namespace kernmix
