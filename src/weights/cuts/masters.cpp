#include "weights/cuts/masters.hpp"

#include <algorithm>
#include <map>

namespace kernmix {

void SmoothMaster::normalize(Vector& multipliers) const {
  std::map<std::size_t, double> sum;
  for (std::size_t i = 0; i < multipliers.size(); ++i) sum[bundle_.group(i)] += multipliers[i];
  for (std::size_t i = 0; i < multipliers.size(); ++i) multipliers[i] /= sum[bundle_.group(i)];
}

Aggregate aggregate_tasks(const Bundle& cuts, const Vector& multipliers,
                          std::vector<Vector> others) {
  Aggregate result{Vector(others.size(), 0.0), std::move(others)};
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    result.gamma[static_cast<std::size_t>(cuts.cut(i).task)] += multipliers[i];
  }
  for (std::size_t k = 0; k < result.a.size(); ++k) {
    if (result.gamma[k] > 0.0) std::ranges::fill(result.a[k], 0.0);
  }
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Cut& cut = cuts.cut(i);
    const auto k = static_cast<std::size_t>(cut.task);
    if (!(multipliers[i] > 0.0)) continue;
    const double share = multipliers[i] / result.gamma[k];
    for (std::size_t j = 0; j < cut.a.size(); ++j) result.a[k][j] += share * cut.a[j];
  }
  return result;
}

}  // namespace kernmix
