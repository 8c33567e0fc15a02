#include "kernmix/identity_kernels.hpp"

#include <algorithm>
#include <numeric>

#include "base/samples.hpp"
#include "model/absence/presence.hpp"
#include "model/prediction_kernels.hpp"
#include "model/warnings/identity.hpp"

namespace kernmix {
namespace {

Vector without_identities(const Vector& weights, const std::vector<bool>& identities) {
  Vector counted = weights;
  for (std::size_t m = 0; m < counted.size(); ++m) {
    if (identities[m]) counted[m] = 0.0;
  }
  const bool left = std::ranges::any_of(counted, [](double weight) { return weight > 0.0; });
  return left ? counted : weights;
}

}  // namespace

std::vector<bool> identity_kernels(const Model& model) {
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
    identities[m] = acts_as_identity(*feature_source(description.function, rows, rows), false);
  }
  return identities;
}

Vector weights_in_views(const Model& model) {
  Vector weights;
  for (const ModelKernel& kernel : model.kernels) weights.push_back(kernel.weight);
  return without_identities(weights, identity_kernels(model));
}

Vector shares_in_views(ConstSpan shares, const std::vector<bool>& identities) {
  Vector counted = without_identities({shares.begin(), shares.end()}, identities);
  const double sum = std::accumulate(counted.begin(), counted.end(), 0.0);
  for (double& share : counted) share = sum > 0.0 ? share / sum : 0.0;
  return counted;
}

}  // namespace kernmix
