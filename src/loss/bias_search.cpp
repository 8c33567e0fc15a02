#include "loss/bias_search.hpp"

#include <algorithm>

namespace kernmix {

double minimise_piecewise_linear(std::vector<Breakpoint>& breakpoints, double first_slope) {
  std::ranges::sort(breakpoints, {}, &Breakpoint::position);
  // Slopes are sums of many jumps; a slope this close to zero is taken as zero.
  const double flat = 1e-12 * std::abs(first_slope);
  double slope = first_slope;
  for (std::size_t k = 0; k < breakpoints.size(); ++k) {
    slope += breakpoints[k].jump;
    const bool last = k + 1 == breakpoints.size();
    if (slope < -flat && !last) continue;
    if (slope > flat || last) return breakpoints[k].position;
    return 0.5 * (breakpoints[k].position + breakpoints[k + 1].position);
  }
  return 0.0;
}

Bracket residual_bracket(ConstSpan y, ConstSpan z) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Bracket bracket{infinity, -infinity};
  for (std::size_t i = 0; i < y.size(); ++i) {
    bracket.low = std::min(bracket.low, y[i] - z[i]);
    bracket.high = std::max(bracket.high, y[i] - z[i]);
  }
  return bracket;
}

}  // namespace kernmix
