#pragma once
/// \file
/// Kernels that are fitted and evaluated once and then serve many models: of other samples, other
/// labels, fewer kernels.

#include <memory>
#include <vector>

#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"

namespace kernmix {

/// The normalised kernels of a data set as Gram matrices in memory, which train() and predict()
/// take as they are.
class FrozenKernels {
 public:
  /// Kernels learn from the samples `train`; those of `test` are new to them.
  /// \throws ParameterError, DataError as train(); ResourceError where memory is short
  FrozenKernels(const Dataset& data, const TrainOptions& options, const std::vector<Index>& train,
                const std::vector<Index>& test, const Context& context);

  [[nodiscard]] const std::vector<KernelDescription>& descriptions() const { return kernels_; }
  /// Labels and Gram matrices between the samples `train`, in their order.
  [[nodiscard]] const Dataset& training() const { return training_; }
  /// Labels of the samples `test`, and matrices between them and `train`.
  [[nodiscard]] const Dataset& test() const { return test_; }
  /// What trains on all these kernels, or on some of them, as `options` does on its own.
  [[nodiscard]] TrainOptions options() const { return options_; }
  [[nodiscard]] TrainOptions options_with(const std::vector<Index>& kernels) const;

  /// Of all Gram matrices.
  [[nodiscard]] static std::size_t bytes(Index kernels, Index train, Index test);

 private:
  std::vector<KernelDescription> kernels_;
  Dataset training_, test_;
  TrainOptions options_;
};

/// Whether two lists of kernels are of the same views, and of the same columns where they read one.
[[nodiscard]] bool are_same_kernels(const std::vector<KernelDescription>& left,
                                    const std::vector<KernelDescription>& right);

/// The samples of `data` that a model of all of them learns from: Gram matrices between `rows`.
[[nodiscard]] Dataset training_part(const Dataset& data, const std::vector<Index>& rows);

/// The same samples with the labels, numbers or label sets of others: sample i gets those of
/// sample order[i]. Matrices are shared.
[[nodiscard]] Dataset with_labels_of(const Dataset& data, const std::vector<Index>& order);

/// The class of each sample for a stratified draw; all equal where there are no classes.
[[nodiscard]] std::vector<Index> classes_to_keep(const Dataset& data, const TrainOptions& options);

}  // namespace kernmix
