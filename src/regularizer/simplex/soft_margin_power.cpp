#include "regularizer/simplex/soft_margin_power.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/simplex/l1.hpp"
#include "regularizer/simplex/power_on_simplex.hpp"

namespace kernmix {
Regularizer SoftMarginPower::parse(const std::string& text) {
  const Arguments arguments(text, {"theta", "p"}, info().example);
  const double theta = arguments.positive("theta");
  const double p = arguments.number("p");
  if (!(p > 1.0) || std::isinf(p)) {
    throw ParameterError(fmt::format("soft-margin-power: p must be > 1 and finite, got {}", p));
  }
  return SoftMarginPower{theta, p};
}

}  // namespace kernmix
