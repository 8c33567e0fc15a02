#pragma once
/// \file
/// From tables, matrices and descriptions to kernels: the same path in training, prediction and
/// verification.

#include <cstdint>
#include <string>
#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/data.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/train.hpp"
#include "model/feature_columns.hpp"

namespace kernmix {

/// What is learned of a given matrix in one reading.
struct MatrixFacts {
  Vector diagonal;  ///< of a square one
  double mean_entry = 0.0;
  std::uint64_t digest = 0;  ///< of all entries
};

/// The kernels of a training set, normalised, and what was learned on the way.
struct TrainingKernels {
  FeatureColumns features;  ///< every column that a kernel reads, in the order of first use
  std::vector<MatrixView> matrices;  ///< every matrix that a kernel reads, in the order given
  std::vector<MatrixFacts> facts;    ///< of each of them
  std::vector<ScaledView> views;     ///< with the rules that were taken
  std::vector<KernelSourcePtr> sources;
  std::vector<FittedNormalization> normalizations;
  std::vector<KernelDescription> descriptions;  ///< with the widths fitted
  bool assume_psd = false;                      ///< the caller says that they are definite
};

/// The columns that kernels read, each in the first of the views that have it, with the rules that
/// are asked for.
[[nodiscard]] std::vector<ScaledView> views_to_scale(const std::vector<View>& views,
                                                     const std::vector<KernelDescription>& kernels,
                                                     const ScalingChoice& choice);

/// Fits scaling, widths and normalisations. No kernel is stored; only centring evaluates kernels.
/// \param views  of views_to_scale(), or of a model;  \param weights  how often each sample counts;
/// {}: once
/// \throws DataError for a missing column or matrix
[[nodiscard]] TrainingKernels training_kernels(const Table& table,
                                               const std::vector<MatrixView>& matrices,
                                               const std::vector<KernelDescription>& kernels,
                                               std::vector<ScaledView> views, ConstSpan weights,
                                               const Context& context);

/// Losses of distances: replaces the kernels by theirs and tells the loss their shift.
/// \returns the shift, 0 for other losses
double fit_to_loss(TrainingKernels& kernels, Loss& loss);

/// The kernel of new samples (left) and support vectors (right) as the loss was trained on it.
[[nodiscard]] KernelSourcePtr prediction_source(const Loss& loss, KernelSourcePtr source,
                                                const FittedNormalization& fitted);

/// The same kernels between new samples (left) and all training samples (right). \param fresh  must
/// outlive them \throws DataError for a column or matrix that is missing or of another shape
[[nodiscard]] std::vector<KernelSourcePtr> sources_between(TrainingKernels& kernels,
                                                           const Loss& loss, const Dataset& fresh);

/// Number of samples of a data set, and a check that its parts agree on it.
/// \throws DataError naming the part that differs
[[nodiscard]] Index sample_count(const Table& table, const std::vector<MatrixView>& matrices);

/// The given matrices that stand for the training matrices `names`, in that order and with those
/// names: found by name or, when no name is known, by their place among as many.
/// \throws DataError naming the missing matrix
[[nodiscard]] std::vector<MatrixView> match_matrices(const std::vector<std::string>& names,
                                                     const std::vector<MatrixView>& given);

/// The view called `name`. \throws DataError
[[nodiscard]] const MatrixView& find_matrix(const std::vector<MatrixView>& views,
                                            const std::string& name);

}  // namespace kernmix
