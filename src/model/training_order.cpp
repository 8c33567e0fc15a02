#include <algorithm>
#include <map>
#include <tuple>

#include "base/samples.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/training.hpp"

namespace kernmix {
namespace {

using TextsOfFields = std::vector<std::vector<std::string>>;

TextsOfFields texts_beside_cost(const TrainOptions& options) {
  TextsOfFields texts;
  for (const Field& field : fields()) {
    if (field.name != "C") texts.push_back(field.texts(options));
  }
  return texts;
}

}  // namespace

std::vector<Index> training_order(const std::vector<TrainOptions>& models) {
  std::vector<Index> order = index_range(0, length(models));
  std::map<TextsOfFields, Index> paths;
  std::vector<std::tuple<Index, Index, double>> places;  // first of these kernels and path; C
  for (const Index i : order) {
    const TrainOptions& own = models[to_size(i)];
    const Index path = paths.try_emplace(texts_beside_cost(own), i).first->second;
    const Index kernels =
        path < i ? std::get<0>(places[to_size(path)]) : *std::ranges::find_if(order, [&](Index j) {
          return j == i || share_kernels(models[to_size(j)], own);
        });
    places.emplace_back(kernels, path, cost_of(own));
  }
  std::ranges::stable_sort(order, {}, [&](Index i) { return places[to_size(i)]; });
  return order;
}

}  // namespace kernmix
