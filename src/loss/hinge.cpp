#include "kernmix/loss/hinge.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace kernmix {

double Hinge::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  // The loss is piecewise linear in b with breakpoints y_i - z_i. Its slope starts at
  // -sum_{y = +1} C_i and rises by C_i at each breakpoint; the minimum is where it turns.
  std::vector<std::pair<double, double>> breakpoints(y.size());
  double slope = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    breakpoints[i] = {y[i] - z[i], C[i]};
    if (y[i] > 0.0) slope -= C[i];
  }
  std::sort(breakpoints.begin(), breakpoints.end());
  const double flat = 1e-12 * std::abs(slope);
  for (std::size_t k = 0; k < breakpoints.size(); ++k) {
    slope += breakpoints[k].second;
    const bool last = k + 1 == breakpoints.size();
    if (slope < -flat && !last) continue;
    if (slope > flat || last) return breakpoints[k].first;
    return 0.5 * (breakpoints[k].first + breakpoints[k + 1].first);
  }
  return 0.0;
}

}  // namespace kernmix
