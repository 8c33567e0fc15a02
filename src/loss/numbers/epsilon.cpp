#include "loss/numbers/epsilon.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string Epsilon::text() const { return fmt::format("epsilon:eps={}", eps); }

void Epsilon::check_parameters() const {
  if (zero_or_in_parameter_range(eps)) return;
  throw ParameterError(fmt::format("epsilon: eps must be 0 or lie in [{}, {}], got {}",
                                   smallest_parameter, largest_parameter, eps));
}

/// Breakpoints at both edges of every tube; left of all of them every sample has slope -C_i.
double Epsilon::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  std::vector<Breakpoint> breakpoints;
  breakpoints.reserve(2 * y.size());
  double slope = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    breakpoints.push_back({y[i] - z[i] - eps, C[i]});
    breakpoints.push_back({y[i] - z[i] + eps, C[i]});
    slope -= C[i];
  }
  return minimise_piecewise_linear(breakpoints, slope);
}

}  // namespace kernmix
