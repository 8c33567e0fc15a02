#include "regularizer/penalties/l1_unsquared.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {

double L1Unsquared::omega(ConstSpan s) const {
  return lambda * std::accumulate(s.begin(), s.end(), 0.0);
}

double L1Unsquared::conjugate(ConstSpan q) const {
  constexpr double kRounding = 1e-12;
  const bool inside = std::sqrt(largest(q)) <= lambda * (1.0 + kRounding);
  return inside ? 0.0 : std::numeric_limits<double>::infinity();
}

void L1Unsquared::best_weights(ConstSpan s, MutableSpan d) const {
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = s[m] / lambda;
}

WeightSet L1Unsquared::weight_set(Index) const {
  WeightSet set;
  set.penalty = linear_function(0.5 * lambda * lambda);
  set.trust = 10.0;
  return set;
}

}  // namespace kernmix
