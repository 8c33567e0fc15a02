#include "kernmix/loss/squared_epsilon.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string SquaredEpsilon::text() const { return fmt::format("squared-epsilon:eps={}", eps); }

void SquaredEpsilon::check_parameters() const {
  if (eps >= 0.0 && std::isfinite(eps)) return;
  throw ParameterError(fmt::format("squared-epsilon: eps must be >= 0 and finite, got {}", eps));
}

double SquaredEpsilon::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  return search_bias(*this, y, z, C, residual_bracket(y, z));
}

}  // namespace kernmix
