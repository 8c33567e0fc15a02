#pragma once
/// \file
/// Kernels that are fitted and evaluated once for many models with other samples, other labels, or
/// fewer kernels.

#include <memory>
#include <vector>

#include "kernmix/kernel.hpp"
#include "kernmix/train.hpp"
#include "model/task_set.hpp"

namespace kernmix {

/// The normalised kernels of a data set as Gram matrices in memory, which train_again() and
/// predict() take as they are.
class PrecomputedKernels {
 public:
  /// Kernels are fitted to the samples `train`; those of `test` are new samples. \throws
  /// ParameterError, DataError as train(); ResourceError if memory is insufficient
  PrecomputedKernels(const Dataset& data, const TrainOptions& options,
                     const std::vector<Index>& train, const std::vector<Index>& test,
                     const Context& context);

  /// Of the kernels as they were asked for.
  [[nodiscard]] const std::vector<KernelDescription>& descriptions() const { return descriptions_; }
  /// Which of them act as the identity (identity_kernels()); false for given matrices.
  [[nodiscard]] std::vector<bool> identities() const;
  /// Labels and Gram matrices between the samples `train`, in their order.
  [[nodiscard]] const Dataset& training() const { return training_; }
  /// Labels of the samples `test`, and matrices between them and `train`.
  [[nodiscard]] const Dataset& test() const { return test_; }
  /// The matrices, which train with options() as the kernels do with the options asked for; the
  /// weights and groups are those of all samples of the data set.
  [[nodiscard]] const DescribedKernels& kernels() const { return kernels_; }
  [[nodiscard]] DescribedKernels some_of(const std::vector<Index>& places) const;
  [[nodiscard]] const TrainOptions& options() const { return options_; }

  /// Bytes of all Gram matrices.
  [[nodiscard]] static std::size_t bytes(Index kernels, Index train, Index test);

 private:
  std::vector<KernelDescription> descriptions_;
  std::vector<bool> centred_;
  DescribedKernels kernels_;
  Dataset training_, test_;
  TrainOptions options_;
};

/// \throws ParameterError for kernels that belong to one model: products, landmarks, distances
void refuse_own_kernels(const TrainOptions& options);

/// Whether two lists of kernels have the same views and, for kernels of one column, the same
/// columns.
[[nodiscard]] bool are_same_kernels(const std::vector<KernelDescription>& left,
                                    const std::vector<KernelDescription>& right);

/// The same samples with permuted labels, numbers or label sets: sample i gets those of sample
/// order[i]. Matrices are shared.
[[nodiscard]] Dataset with_labels_of(const Dataset& data, const std::vector<Index>& order);

/// The class of each sample for stratification; all equal without classes.
[[nodiscard]] std::vector<Index> classes_to_keep(const Dataset& data, const TrainOptions& options);

}  // namespace kernmix
