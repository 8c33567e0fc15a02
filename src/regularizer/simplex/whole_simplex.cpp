#include "regularizer/simplex/whole_simplex.hpp"

#include <algorithm>
#include <functional>

#include "base/roots/root.hpp"

namespace kernmix {

void project_onto_simplex(MutableSpan x) {
  Vector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const double tau = threshold_of_sum(sorted, 1.0);
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
