#include "similarity.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "kernmix/fitted_kernels.hpp"
#include "kernmix/kernel_similarity.hpp"

namespace kernmix::cli {
namespace {

constexpr std::size_t kMostKernels = 20;
constexpr Index kMostSamples = 200;

std::vector<std::size_t> heaviest(const Model& model) {
  std::vector<std::size_t> order;
  for (std::size_t m = 0; m < model.kernels.size(); ++m) {
    if (model.kernels[m].weight > 0.0) order.push_back(m);
  }
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t m) { return model.kernels[m].weight; });
  order.resize(std::min(order.size(), kMostKernels));
  std::ranges::sort(order);
  return order;
}

}  // namespace

Json similarity_json(const Model& model, const Dataset& data, const TrainOptions& options,
                     const Context& context) {
  const std::vector<std::size_t> chosen = heaviest(model);
  if (chosen.empty() || context.should_stop()) return nullptr;
  const FittedKernels fitted({std::shared_ptr<void>(), &data}, options.kernels, options.scaling,
                             options.normalization, context);
  std::vector<KernelSourcePtr> sources;
  Vector weights;
  Json names = Json::array();
  for (const std::size_t m : chosen) {
    sources.push_back(fitted.training()[m]);
    weights.push_back(model.kernels[m].weight);
    names.push_back(model.kernels[m].description.name());
  }
  const KernelSimilarity found = kernel_similarity(sources, weights, kMostSamples, context);
  Json rows = Json::array();
  for (Index k = 0; k < found.alignment.rows; ++k) {
    const ConstSpan row = found.alignment.row(k);
    rows.push_back(Vector(row.begin(), row.end()));
  }
  return {{"n_samples", found.samples},
          {"kernels", std::move(names)},
          {"alignment", std::move(rows)},
          {"spectrum", found.spectrum}};
}

}  // namespace kernmix::cli
