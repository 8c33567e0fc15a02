#include "regularizer/simplex/l1.hpp"

#include <numeric>

namespace kernmix {

double L1::omega(ConstSpan s) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  return 0.5 * sum * sum;
}

void L1::best_weights(ConstSpan s, MutableSpan d) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  const double uniform = 1.0 / static_cast<double>(d.size());
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = sum > 0.0 ? s[m] / sum : uniform;
}

}  // namespace kernmix
