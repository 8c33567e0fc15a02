#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "blas_threads.hpp"
#include "kernmix/error.hpp"
#include "kernmix/loss/logistic.hpp"
#include "kernmix/model/train.hpp"
#include "model/pipeline.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index block_rows = 64;

/// New samples x support vectors of a given matrix, which has a column for each training sample or
/// for each support vector.
std::shared_ptr<const Matrix> support_columns(const Model& model, const MatrixView& view) {
  const Matrix& given = *view.matrix;
  const Index count = length(model.support);
  if (given.cols == count) return view.matrix;
  if (given.cols != model.training_samples) {
    throw DataError(
        fmt::format("matrix '{}' must have {} columns (training samples) or {} (support "
                    "vectors, in the order of the model), got {}",
                    view.name, model.training_samples, count, given.cols));
  }
  auto chosen = std::make_shared<Matrix>(given.rows, count);
  for (Index i = 0; i < given.rows; ++i) {
    for (Index s = 0; s < count; ++s) {
      (*chosen)(i, s) = given(i, model.support[static_cast<std::size_t>(s)]);
    }
  }
  return chosen;
}

std::vector<Index> kernels_with_weight(const Model& model) {
  std::vector<Index> kernels;
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    if (model.kernels[m].weight > 0.0) kernels.push_back(static_cast<Index>(m));
  }
  return kernels;
}

/// The matrices that kernels with weight read.
std::vector<MatrixView> needed_matrices(const Model& model, const std::vector<Index>& kernels,
                                        const std::vector<MatrixView>& given) {
  const bool any = std::any_of(kernels.begin(), kernels.end(), [&](Index m) {
    return model.kernels[static_cast<std::size_t>(m)].description.from_matrix;
  });
  return any ? match_matrices(model.matrices, given) : std::vector<MatrixView>();
}

/// The normalised kernels with weight, new samples x support vectors.
std::vector<KernelSourcePtr> prediction_sources(const Model& model, const Dataset& data,
                                                const std::vector<Index>& kernels, Index n) {
  Matrix raw = model.columns.empty() ? Matrix(n, 0) : select_columns(data.table, model.columns);
  FeatureColumns left(model.columns, std::move(raw), model.scaling, data.table.source);
  FeatureColumns right(model.columns, model.support_values, model.scaling, "the model");
  const auto matrices = needed_matrices(model, kernels, data.matrices);
  const Loss loss = parse_loss(model.settings.loss);
  std::vector<KernelSourcePtr> sources;
  for (const Index m : kernels) {
    const ModelKernel& kernel = model.kernels[static_cast<std::size_t>(m)];
    const KernelDescription& description = kernel.description;
    KernelSourcePtr source =
        description.from_matrix
            ? matrix_source(description.function,
                            support_columns(model, find_matrix(matrices, description.view)))
            : feature_source(description.function, left.of(description), right.of(description));
    sources.push_back(prediction_source(loss, std::move(source), kernel.normalization));
  }
  return sources;
}

/// f_m(x_i) = d_m sum_s a_s k_m(x_i, x_s) for the samples `rows` and every kernel with weight;
/// `values` is |rows| x |sources|.
void block_functions(const Model& model, const std::vector<Index>& kernels,
                     const std::vector<KernelSourcePtr>& sources, std::span<const Index> rows,
                     Matrix& values) {
  const std::size_t count = model.support.size();
  std::vector<Index> all(count);
  std::iota(all.begin(), all.end(), Index{0});
  Vector entries(rows.size() * count);
  for (std::size_t k = 0; k < sources.size(); ++k) {
    sources[k]->block(rows, all, entries);
    const double weight = model.kernels[static_cast<std::size_t>(kernels[k])].weight;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double* const row = entries.data() + r * count;
      values(static_cast<Index>(r), static_cast<Index>(k)) =
          weight * std::inner_product(row, row + count, model.coefficients.begin(), 0.0);
    }
  }
}

void require_finite(const Prediction& prediction, const std::string& source) {
  for (std::size_t i = 0; i < prediction.decision.size(); ++i) {
    if (std::isfinite(prediction.decision[i])) continue;
    throw DataError(
        fmt::format("{}: the decision value of sample {} is not finite; its values are "
                    "far outside the training data",
                    source, i + 1));
  }
}

}  // namespace

Prediction predict(const Model& model, const Dataset& data, const Context& context,
                   bool contributions) {
  const SerialBlas serial_blas;
  const Index n = sample_count(data.table, data.matrices);
  Prediction prediction;
  prediction.decision.assign(static_cast<std::size_t>(n), model.bias);
  prediction.contributing = kernels_with_weight(model);
  const Index active = length(prediction.contributing);
  if (contributions) prediction.contributions = Matrix(n, active);
  const auto sources = model.support.empty()
                           ? std::vector<KernelSourcePtr>()
                           : prediction_sources(model, data, prediction.contributing, n);

  parallel_for(context, (n + block_rows - 1) / block_rows, [&](Index block) {
    std::vector<Index> rows(static_cast<std::size_t>(std::min(block_rows, n - block * block_rows)));
    std::iota(rows.begin(), rows.end(), block * block_rows);
    Matrix values(length(rows), active);
    block_functions(model, prediction.contributing, sources, rows, values);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const ConstSpan parts = values.row(static_cast<Index>(r));
      double& decision = prediction.decision[static_cast<std::size_t>(rows[r])];
      decision += std::accumulate(parts.begin(), parts.end(), 0.0);
      if (contributions) {
        std::copy(parts.begin(), parts.end(), prediction.contributions.row(rows[r]).begin());
      }
    }
  });

  require_finite(prediction, data.table.source);
  if (model.target == Target::numbers) return prediction;
  const BinaryLabels sides =
      model.target == Target::classes ? model.classes : BinaryLabels{"outlier", "inlier"};
  const bool log_odds = model.settings.loss == Logistic{}.text();
  for (const double value : prediction.decision) {
    prediction.label.push_back(value >= 0.0 ? sides.positive : sides.negative);
    if (log_odds) prediction.probability.push_back(1.0 / (1.0 + std::exp(-value)));
  }
  return prediction;
}

}  // namespace kernmix
