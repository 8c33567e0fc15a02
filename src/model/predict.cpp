#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas_threads.hpp"
#include "kernmix/model/train.hpp"
#include "loss/any.hpp"
#include "loss/classes/logistic.hpp"
#include "model/check.hpp"
#include "model/prediction_kernels.hpp"

namespace kernmix {
namespace {

/// f_m(x_i) = d_m sum_s a_s k_m(x_i, x_s) for the samples `rows` and every kernel with weight:
/// |rows| x |kernels|.
Matrix block_functions(const Model& model, const PredictionKernels& kernels,
                       std::span<const Index> rows) {
  const std::size_t count = model.support.size();
  Vector entries(rows.size() * count);
  Matrix values(length(rows), length(kernels.kernels()));
  for (std::size_t k = 0; k < kernels.kernels().size(); ++k) {
    kernels.block(k, rows, entries);
    const double weight = model.kernels[static_cast<std::size_t>(kernels.kernels()[k])].weight;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const double* const row = entries.data() + r * count;
      values(static_cast<Index>(r), static_cast<Index>(k)) =
          weight * std::inner_product(row, row + count, model.coefficients.begin(), 0.0);
    }
  }
  return values;
}

void require_finite(const Prediction& prediction, const std::string& source) {
  for (std::size_t i = 0; i < prediction.decision.size(); ++i) {
    if (!std::isfinite(prediction.decision[i])) refuse_decision(source, static_cast<Index>(i) + 1);
  }
}

}  // namespace

Prediction predict(const Model& model, const Dataset& data, const Context& context,
                   bool contributions) {
  const SerialBlas serial_blas;
  require_sound(model);
  require_mean_kernel(model, model.coefficients);
  const PredictionKernels kernels(model, data);
  Prediction prediction;
  prediction.decision.assign(static_cast<std::size_t>(kernels.samples()), model.bias);
  prediction.contributing = kernels.kernels();
  if (contributions) {
    prediction.contributions = Matrix(kernels.samples(), length(prediction.contributing));
  }
  kernels.for_blocks(context, [&](const std::vector<Index>& rows) {
    const Matrix values = block_functions(model, kernels, rows);
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
