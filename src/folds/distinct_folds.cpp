#include "folds/distinct_folds.hpp"

#include <map>
#include <tuple>

namespace kernmix {

std::vector<std::size_t> distinct_folds(const std::vector<Fold>& folds) {
  const auto before = [](const Fold* a, const Fold* b) {
    return std::tie(a->test, a->train) < std::tie(b->test, b->train);
  };
  std::map<const Fold*, std::size_t, decltype(before)> first(before);
  std::vector<std::size_t> places;
  for (std::size_t f = 0; f < folds.size(); ++f) {
    if (first.try_emplace(&folds[f], f).second) places.push_back(f);
  }
  return places;
}

}  // namespace kernmix
