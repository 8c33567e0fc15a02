#include "loss/classes/hinge.hpp"

#include "loss/bias_search.hpp"

namespace kernmix {

/// Breakpoints at y_i - z_i; left of all of them every positive sample loses, with slope -C_i.
double Hinge::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  std::vector<Breakpoint> breakpoints(y.size());
  double slope = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    breakpoints[i] = {y[i] - z[i], C[i]};
    if (y[i] > 0.0) slope -= C[i];
  }
  return minimise_piecewise_linear(breakpoints, slope);
}

}  // namespace kernmix
