#include "loss/numbers/pinball.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string Pinball::text() const { return fmt::format("pinball:tau={}", tau); }

void Pinball::check_parameters() const {
  if (tau >= smallest_parameter && tau < 1.0) return;
  throw ParameterError(
      fmt::format("pinball: tau must be >= {} and < 1, got {}", smallest_parameter, tau));
}

/// Breakpoints at y_i - z_i; left of all of them every sample has slope -tau C_i.
double Pinball::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  std::vector<Breakpoint> breakpoints(y.size());
  double slope = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    breakpoints[i] = {y[i] - z[i], C[i]};
    slope -= tau * C[i];
  }
  return minimise_piecewise_linear(breakpoints, slope);
}

}  // namespace kernmix
