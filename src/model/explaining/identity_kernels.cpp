#include "kernmix/identity_kernels.hpp"

#include <cmath>

#include "base/samples.hpp"
#include "model/absence/presence.hpp"
#include "model/prediction_kernels.hpp"
#include "model/warnings/identity.hpp"

namespace kernmix {
namespace {

/// c of all pairs of some samples that differ.
Vector similarities(const KernelSource& source, const std::vector<Index>& some) {
  constexpr double same = 1.0 - 1e-9;
  Matrix K(length(some), length(some));
  source.block(some, some, K.values);
  Vector all;
  for (Index i = 0; i < K.rows; ++i) {
    for (Index j = 0; j < i; ++j) {
      const double norm = std::sqrt(std::max(0.0, K(i, i) * K(j, j)));
      if (std::abs(K(i, j)) < same * norm) all.push_back(std::abs(K(i, j)) / norm);
    }
  }
  return all;
}

}  // namespace

std::vector<bool> identity_kernels(const Model& model) {
  constexpr Index most_samples = 200;
  std::vector<bool> identities(model.kernels.size(), false);
  if (model.support.size() < 2 || model.product) return identities;
  FeatureColumns columns = support_columns(model);
  for (std::size_t m = 0; m < identities.size(); ++m) {
    const KernelDescription& description = model.kernels[m].description;
    if (!(model.kernels[m].weight > 0.0) || description.from_matrix) continue;
    const ModelPresence* const presence = presence_in(model, description.view);
    const PresentSamples present(length(model.support), presence != nullptr
                                                            ? presence->support
                                                            : all_samples(length(model.support)));
    const FeatureRows rows = columns.of(description, presence != nullptr ? &present : nullptr);
    if (rows.rows() < 2) continue;
    Vector similar = similarities(*feature_source(description.function, rows, rows),
                                  spaced_samples(rows.rows(), most_samples));
    identities[m] = acts_as_identity(similar);
  }
  return identities;
}

Vector weights_in_views(const Model& model) {
  const std::vector<bool> identities = identity_kernels(model);
  Vector weights;
  double sum = 0.0;
  for (std::size_t m = 0; m < identities.size(); ++m) {
    weights.push_back(identities[m] ? 0.0 : model.kernels[m].weight);
    sum += weights.back();
  }
  if (sum > 0.0) return weights;
  for (std::size_t m = 0; m < weights.size(); ++m) weights[m] = model.kernels[m].weight;
  return weights;
}

}  // namespace kernmix
