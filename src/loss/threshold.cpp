#include "loss/threshold.hpp"

#include "loss/bias_search.hpp"

namespace kernmix {

Threshold best_threshold(const ClassMargins& members, double share) {
  std::vector<Breakpoint> breakpoints(members.margin.size());
  for (std::size_t i = 0; i < breakpoints.size(); ++i) {
    breakpoints[i] = {members.margin[i], members.C[i]};
  }
  Threshold best{minimise_piecewise_linear(breakpoints, -share), 0.0, 0.0};
  best.value = -share * best.r;
  for (std::size_t i = 0; i < members.margin.size(); ++i) {
    const double lack = best.r - members.margin[i];
    if (lack > 0.0) best.value += members.C[i] * lack;
    best.gap += lack > 0.0 ? (members.C[i] - members.alpha[i]) * lack : -members.alpha[i] * lack;
  }
  return best;
}

}  // namespace kernmix
