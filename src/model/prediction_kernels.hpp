#pragma once
/// \file
/// The kernels of a model between new samples and its support vectors, and predictions by them.

#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "model/feature_columns.hpp"

namespace kernmix {

struct PredictionKernels {
  std::vector<Index> index;  ///< the kernels with weight
  std::vector<KernelSourcePtr>
      sources;  ///< new samples x support vectors; empty without support vectors
  std::vector<std::string> views = {};  ///< Prediction::views
};
/// The columns of the support vectors.
[[nodiscard]] FeatureColumns support_columns(const Model& model);

/// \throws DataError naming a column or matrix that is missing
[[nodiscard]] PredictionKernels prediction_kernels(const Model& model, const Dataset& data);

/// The number of samples whose predictions are computed together: those of parts of a table that
/// begin at its multiples have the bits of those of the whole table.
inline constexpr Index predicted_together = 64;

/// Those of them that are computed at once: fewer with many support vectors. A power of two.
[[nodiscard]] Index predicted_at_once(Index support);
/// Memory for kernels between these rows and the support vectors.
[[nodiscard]] std::size_t prediction_bytes(Index support, const Context& context);

/// predict() with existing kernels. \param samples new ones \param table of them, for messages
[[nodiscard]] Prediction predict_with(const Model& model, const PredictionKernels& kernels,
                                      Index samples, const Table& table, const Context& context,
                                      bool contributions);

/// Weights of the training samples in a mean: w_i / W, or 1 / n without weights.
[[nodiscard]] Vector sample_shares(const Model& model);

/// Models of earlier versions may lack training samples for the mean kernel of a new sample.
/// \throws DataError if the coefficients of a task do not cancel it
void require_mean_kernel(const Model& model, ConstSpan coefficients);

}  // namespace kernmix
