#include "kernmix/regularizer/fixed.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>
#include <numeric>

#include "kernmix/error.hpp"

namespace kernmix {

std::string Fixed::text() const { return fmt::format("fixed:{}", fmt::join(w, ",")); }

void Fixed::check(Index M) const {
  if (length(w) != M) {
    throw ParameterError(
        fmt::format("fixed: {} weights were given for {} kernels, give one weight for each kernel",
                    w.size(), M));
  }
}

double Fixed::block_norm(ConstSpan s) const {
  double sum = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] == 0.0) continue;
    if (w[m] == 0.0) return std::numeric_limits<double>::infinity();
    sum += s[m] * s[m] / w[m];
  }
  return 0.5 * sum;
}

double Fixed::support(ConstSpan q) const {
  return 0.5 * std::inner_product(q.begin(), q.end(), w.begin(), 0.0);
}

}  // namespace kernmix
