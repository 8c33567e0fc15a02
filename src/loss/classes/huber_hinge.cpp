#include "loss/classes/huber_hinge.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "loss/bias_search.hpp"

namespace kernmix {

std::string HuberHinge::text() const { return fmt::format("huber-hinge:h={}", h); }

void HuberHinge::check_parameters() const {
  if (in_parameter_range(h)) return;
  throw ParameterError(fmt::format("huber-hinge: h must lie in [{}, {}], got {}",
                                   smallest_parameter, largest_parameter, h));
}

double HuberHinge::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  return search_bias(*this, y, z, C, residual_bracket(y, z));
}

}  // namespace kernmix
