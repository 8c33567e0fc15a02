#include "regularizer/points/fixed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

#include "base/arguments.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "regularizer/any.hpp"

namespace kernmix {

std::vector<RegularizerInfo> Fixed::rows() {
  return {{"fixed:D1,D2,...", "d = (D1, D2, ...)", "1/2 sum s^2/d", "fixed:0.25,0.75"}};
}

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

double Fixed::omega(ConstSpan s) const {
  double sum = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] == 0.0) continue;
    if (w[m] == 0.0) return std::numeric_limits<double>::infinity();
    sum += s[m] * s[m] / w[m];
  }
  return 0.5 * sum;
}

double Fixed::conjugate(ConstSpan q) const {
  return 0.5 * std::inner_product(q.begin(), q.end(), w.begin(), 0.0);
}

}  // namespace kernmix
