#include "weights/cuts/masters.hpp"

#include <algorithm>
#include <map>

namespace kernmix {

void SmoothMaster::normalize(Vector& multipliers) const {
  std::map<std::size_t, double> sum;
  for (std::size_t i = 0; i < multipliers.size(); ++i) sum[bundle_.group(i)] += multipliers[i];
  for (std::size_t i = 0; i < multipliers.size(); ++i) multipliers[i] /= sum[bundle_.group(i)];
}

Witness aggregate_tasks(const Bundle& cuts, const Vector& multipliers, std::vector<Vector> others) {
  Witness result{{}, Vector(others.size(), 0.0)};
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    result.gamma[static_cast<std::size_t>(cuts.cut(i).task)] += multipliers[i];
  }
  for (std::size_t k = 0; k < others.size(); ++k) {
    if (result.gamma[k] > 0.0) std::ranges::fill(others[k], 0.0);
  }
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const Cut& cut = cuts.cut(i);
    const auto k = static_cast<std::size_t>(cut.task);
    if (!(multipliers[i] > 0.0)) continue;
    const double share = multipliers[i] / result.gamma[k];
    for (std::size_t j = 0; j < cut.a.size(); ++j) others[k][j] += share * cut.a[j];
  }
  result.a = end_to_end(others);
  return result;
}

}  // namespace kernmix
