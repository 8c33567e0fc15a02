#include <algorithm>
#include <map>
#include <tuple>

#include "base/samples.hpp"
#include "kernmix/settings.hpp"
#include "kernmix/training.hpp"

namespace kernmix {
namespace {

/// All settings but C.
std::vector<std::vector<std::string>> texts_beside_cost(const TrainOptions& options) {
  std::vector<std::vector<std::string>> texts;
  for (const Field& field : fields()) {
    if (field.name != "C") texts.push_back(field.texts(options));
  }
  return texts;
}

}  // namespace

std::vector<Index> training_order(const std::vector<TrainOptions>& models) {
  using Place = std::tuple<std::size_t, std::size_t, double>;  // of kernels, of the path, C
  std::vector<std::size_t> paths;                              // the first model of each
  std::map<std::vector<std::vector<std::string>>, Place> known;
  std::vector<Place> places;
  for (std::size_t i = 0; i < models.size(); ++i) {
    const auto [path, is_new] = known.try_emplace(texts_beside_cost(models[i]));
    if (is_new) {
      const auto same = std::ranges::find_if(
          paths, [&](std::size_t first) { return share_kernels(models[first], models[i]); });
      const std::size_t kernels = same == paths.end() ? i : std::get<0>(places[*same]);
      path->second = {kernels, i, 0.0};
      paths.push_back(i);
    }
    Place& own = places.emplace_back(path->second);
    std::get<2>(own) = cost_of(models[i]);
  }
  std::vector<Index> order = index_range(0, length(models));
  std::ranges::stable_sort(order, {}, [&](Index i) { return places[to_size(i)]; });
  return order;
}

}  // namespace kernmix
