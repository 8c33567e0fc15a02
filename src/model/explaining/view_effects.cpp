#include "model/explaining/view_effects.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"

namespace kernmix {
namespace {

/// Subtracts the mean.
Eigen::VectorXd centred(Eigen::VectorXd values) {
  values.array() -= values.mean();
  return values;
}

}  // namespace

std::vector<std::string> views_with_weight(const Model& model, const ViewOfMatrix& view_of_matrix) {
  std::vector<std::string> views;
  for (const ModelKernel& kernel : model.kernels) {
    if (kernel.weight == 0.0) continue;
    const std::string& view = counted_view(kernel.description, view_of_matrix);
    if (std::ranges::find(views, view) == views.end()) views.push_back(view);
  }
  return views;
}

std::vector<ViewEffect> view_effects(const Model& model, const Prediction& prediction,
                                     const ViewOfMatrix& view_of_matrix) {
  const auto contributions = as_matrix(prediction.contributions);
  const Index kernels = length(prediction.contributing);
  const auto n = static_cast<double>(contributions.rows());
  std::vector<ViewEffect> effects;
  for (Index k = 0; k < length(model.tasks); ++k) {
    const Eigen::VectorXd all =
        centred(contributions.middleCols(k * kernels, kernels).rowwise().sum());
    for (const std::string& view : views_with_weight(model, view_of_matrix)) {
      ViewEffect effect{.task = k, .view = view};
      Eigen::VectorXd own = Eigen::VectorXd::Zero(contributions.rows());
      for (Index i = 0; i < kernels; ++i) {
        const Index m = prediction.contributing[to_size(i)];
        if (counted_view(model.kernels[to_size(m)].description, view_of_matrix) != view) continue;
        own += contributions.col(k * kernels + i);
        effect.kernels += model.task_weights(k)[to_size(m)] > 0.0 ? 1 : 0;
      }
      own = centred(std::move(own));
      effect.deviation = std::sqrt(own.squaredNorm() / n);
      const double variance = all.squaredNorm();
      effect.share = variance > 0.0 ? own.dot(all) / variance : 0.0;
      effects.push_back(std::move(effect));
    }
  }
  return effects;
}

}  // namespace kernmix
