#include "loss/dual_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernmix/error.hpp"

namespace kernmix {

Vector feasible_in(const DualSet& set, ConstSpan C, ConstSpan a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double slack = 1e-9 * C[i];
    if (a[i] >= set.lower[i] - slack && a[i] <= set.upper[i] + slack) continue;
    throw ParameterError(fmt::format("dual variable {} = {} lies outside its box [{}, {}]", i + 1,
                                     a[i], set.lower[i], set.upper[i]));
  }
  Vector feasible(a.begin(), a.end());
  make_feasible(set, feasible);
  return feasible;
}

bool sums_to_zero(const DualSet& set) {
  // With two blocks the totals are a number and its negative.
  return set.balanced() && std::accumulate(set.totals.begin(), set.totals.end(), 0.0) == 0.0;
}

bool may_scale(const DualSet& set) {
  return std::ranges::all_of(set.totals, [](double total) { return total == 0.0; });
}

double longest_scale(const DualSet& set, ConstSpan a) {
  if (!may_scale(set)) return 1.0;
  double t = 2.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > 0.0) t = std::min(t, set.upper[i] / a[i]);
    if (a[i] < 0.0) t = std::min(t, set.lower[i] / a[i]);
  }
  return std::max(t, 1.0);
}

}  // namespace kernmix
