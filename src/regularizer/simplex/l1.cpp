#include "regularizer/simplex/l1.hpp"

#include <numeric>

#include "regularizer/norm_prox.hpp"

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

void L1::prox(double gamma, ConstSpan x, MutableSpan s) const {
  squared_sum_prox(gamma, 0.0, x, s);
}

ProxSlope L1::prox_slope(double gamma, ConstSpan s) const {
  return squared_sum_prox_slope(gamma, 0.0, s);
}

}  // namespace kernmix
