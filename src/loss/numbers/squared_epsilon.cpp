#include "loss/numbers/squared_epsilon.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string SquaredEpsilon::text() const { return fmt::format("squared-epsilon:eps={}", eps); }

void SquaredEpsilon::check_parameters() const {
  if (zero_or_in_parameter_range(eps)) return;
  throw ParameterError(fmt::format("squared-epsilon: eps must be 0 or lie in [{}, {}], got {}",
                                   smallest_parameter, largest_parameter, eps));
}

double SquaredEpsilon::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  return search_bias(*this, y, z, C, residual_bracket(y, z));
}

}  // namespace kernmix
