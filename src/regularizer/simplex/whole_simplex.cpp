#include "regularizer/simplex/whole_simplex.hpp"

#include <algorithm>
#include <functional>

namespace kernmix {

void project_onto_simplex(MutableSpan x) {
  // x_m = max(z_m - tau, 0): tau is fixed by the largest k entries that stay positive.
  Vector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double tau = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (candidate >= sorted[k]) break;
    tau = candidate;
  }
  for (double& value : x) value = std::max(value - tau, 0.0);
}

WeightSet simplex_set(double upper) {
  WeightSet set;
  set.constraint = linear_function(1.0);
  set.tight = true;
  set.upper = upper;
  return set;
}

}  // namespace kernmix
