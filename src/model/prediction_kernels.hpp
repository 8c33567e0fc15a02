#pragma once
/// \file
/// The kernels of a model between new samples and its support vectors, and predictions by them.

#include <string>
#include <vector>

#include "kernmix/train.hpp"
#include "model/absence/presence.hpp"
#include "model/feature_columns.hpp"

namespace kernmix {

/// A kernel of a view that all training samples had and some new samples lack: it adds the mean of
/// what it adds to the support vectors.
struct UnknownView {
  Index kernel = 0;                   ///< place in PredictionKernels::index
  PresentSamplesPtr present;          ///< the new samples that have the view
  KernelSourcePtr between = nullptr;  ///< between the support vectors; null: the mean is not known,
                                      ///< as of given matrices, and 0 is added
};

struct PredictionKernels {
  std::vector<Index> index;  ///< the kernels with weight
  std::vector<KernelSourcePtr>
      sources;  ///< new samples x support vectors; empty without support vectors
  std::vector<std::string> views = {};  ///< Prediction::views
  std::vector<UnknownView> unknown = {};
};
/// Views of columns and matrices that all training samples had and new samples may lack, as a model
/// of several views predicts without some of them; empty for a product, which needs all.
[[nodiscard]] std::vector<View> complete_views(const Model& model);

/// Those that some new sample lacks, with `all` last; views of columns only if training filled no
/// missing cells. \param matrices  with the names of the training matrices
[[nodiscard]] Presences unknown_presences(const Model& model, const Table& table,
                                          const std::vector<MatrixView>& matrices);

/// Whether a sample of a table has some cells of such a view, but not all: the model then refuses
/// it, unless training filled missing cells. Nothing of a model with incomplete views.
[[nodiscard]] bool has_missing_cells_of_views(const Model& model, const Table& table);

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
