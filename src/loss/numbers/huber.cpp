#include "loss/numbers/huber.hpp"

#include <fmt/format.h>

#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string Huber::text() const { return fmt::format("huber:delta={}", delta); }

void Huber::check_parameters() const {
  if (in_parameter_range(delta)) return;
  throw ParameterError(fmt::format("huber: delta must lie in [{}, {}], got {}", smallest_parameter,
                                   largest_parameter, delta));
}

double Huber::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  return search_bias(*this, y, z, C, residual_bracket(y, z));
}

}  // namespace kernmix
