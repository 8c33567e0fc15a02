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
#include "model/absence/presence.hpp"
#include "model/feature_columns.hpp"

namespace kernmix {

/// Statistics of a given matrix from one pass.
struct MatrixFacts {
  Vector diagonal;  ///< of a square one
  double mean_entry = 0.0;
  std::uint64_t digest = 0;  ///< of all entries
};

/// The normalised kernels of a training set and all fitted parameters.
struct TrainingKernels {
  FeatureColumns features;  ///< every column that a kernel reads, in the order of first use
  std::vector<MatrixView> matrices;  ///< every matrix that a kernel reads, in the order given
  std::vector<MatrixFacts> facts;    ///< of each of them
  std::vector<ScaledView> views;     ///< with the rules in use
  std::vector<KernelSourcePtr> sources;
  std::vector<FittedNormalization> normalizations;
  std::vector<KernelDescription> descriptions;  ///< with the widths fitted
  bool assume_psd = false;                      ///< kernels are not tested
  std::vector<FittedRepair> repairs = {};       ///< of each kernel
  std::size_t repaired_bytes = 0;               ///< of matrices that were changed
  Presences presences = {};                     ///< of the views that some samples lack
  std::vector<Index> landmarks = {};            ///< of all kernels, ascending; empty: none
  std::vector<KernelSourcePtr> exact = {};      ///< with landmarks the kernels as written
  std::string landmark_note = {};               ///< why there are landmarks that were not asked for

  [[nodiscard]] const Presence* presence(Index m) const {
    return presence_of(descriptions[to_size(m)].view, presences);
  }
};

/// The columns of the kernels, each in the first view that contains it, with the requested rules.
[[nodiscard]] std::vector<ScaledView> views_to_scale(const std::vector<View>& views,
                                                     const std::vector<KernelDescription>& kernels,
                                                     const ScalingChoice& choice);

/// Fits scaling, widths and normalisations. Kernels are not stored; only centring evaluates them.
/// \param views of views_to_scale(), or of a model; \param weights of the samples; {}: all 1
/// \param lacking  views that some samples lack; \param rules  of scaling
/// \throws DataError for a missing column or matrix
[[nodiscard]] TrainingKernels training_kernels(const Table& table,
                                               const std::vector<MatrixView>& matrices,
                                               const std::vector<KernelDescription>& kernels,
                                               std::vector<ScaledView> views, MissingRule missing,
                                               const Presences& lacking, ConstSpan weights,
                                               const Context& context,
                                               FittingRules rules = FittingRules::present);

/// For losses of distances: replaces the kernels and sets the shift of the loss. \returns the
/// shift, 0 for other losses
double fit_to_loss(TrainingKernels& kernels, Loss& loss);

/// The new samples and the training samples that have a view; without a view that some training
/// samples lack both null.
struct BothPresent {
  PresentSamplesPtr left, right;
};

/// The kernel of new samples (left) and support vectors (right) in the form for the loss.
/// \param source, fitted  of those that have the view
[[nodiscard]] KernelSourcePtr prediction_source(const Loss& loss, KernelSourcePtr source,
                                                const FittedNormalization& fitted,
                                                const BothPresent& present);

/// The same kernels between new samples (left) and all training samples (right). \param fresh  must
/// outlive them \throws DataError for a column or matrix that is missing or of another shape
[[nodiscard]] std::vector<KernelSourcePtr> sources_between(TrainingKernels& kernels,
                                                           const Loss& loss, const Dataset& fresh);

/// The number of samples, which must be equal in all parts.
/// \throws DataError naming the part that differs
[[nodiscard]] Index sample_count(const Table& table, const std::vector<MatrixView>& matrices);

/// The given matrices in the order and with the names of the training matrices `names`: found by
/// name or, if no name is known and the number agrees, by position. If all others are known by
/// name, a missing one whose view is among `lacking` is a matrix that none of the n samples has.
/// \throws DataError naming the missing matrix
[[nodiscard]] std::vector<MatrixView> match_matrices(const std::vector<std::string>& names,
                                                     const std::vector<MatrixView>& given,
                                                     const std::vector<View>& lacking = {},
                                                     Index n = 0);

/// The view called `name`. \throws DataError
[[nodiscard]] const MatrixView& find_matrix(const std::vector<MatrixView>& views,
                                            const std::string& name);

}  // namespace kernmix
