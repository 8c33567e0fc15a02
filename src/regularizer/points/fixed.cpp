#include "regularizer/points/fixed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "regularizer/any.hpp"

namespace kernmix {

Regularizer Fixed::parse(const std::string& text) {
  Fixed fixed;
  std::istringstream parts(argument_of(text));
  bool any_positive = false;
  for (std::string part; std::getline(parts, part, ',');) {
    const double weight = parse_parameter(part, "fixed");
    if (!zero_or_in_parameter_range(weight)) {
      throw ParameterError(fmt::format("fixed: weights must be 0 or lie in [{}, {}], got {}",
                                       smallest_parameter, largest_parameter, part));
    }
    any_positive = any_positive || weight > 0.0;
    fixed.w.push_back(weight);
  }
  if (!any_positive) throw ParameterError("fixed: at least one weight must be > 0");
  return fixed;
}

std::string Fixed::text() const { return fmt::format("fixed:{}", fmt::join(w, ",")); }

void Fixed::check(Index M) const {
  if (length(w) != M) {
    throw ParameterError(
        fmt::format("fixed: {} weights were given for {} kernels, give one weight for each kernel",
                    w.size(), M));
  }
}

}  // namespace kernmix
