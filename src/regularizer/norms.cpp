#include "regularizer/norms.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernmix/error.hpp"

namespace kernmix {

void require_kernels(Index M) {
  if (M < 1) throw ParameterError("there must be at least one kernel");
}

Vector even_weights(Index M) {
  return Vector(static_cast<std::size_t>(M), 1.0 / static_cast<double>(M));
}

double sum_of_squares(ConstSpan x) {
  return std::inner_product(x.begin(), x.end(), x.begin(), 0.0);
}

double power_norm(ConstSpan x, double r) {
  const double top = largest(x);
  if (top <= 0.0) return 0.0;
  double sum = 0.0;
  for (const double value : x) sum += std::pow(value / top, r);
  return top * std::pow(sum, 1.0 / r);
}

double largest(ConstSpan x) { return x.empty() ? 0.0 : *std::max_element(x.begin(), x.end()); }

double weighted_norm(ConstSpan s, ConstSpan d) {
  double sum = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] != 0.0) sum += s[m] * (s[m] / d[m]);
  }
  return 0.5 * sum;
}

void clip(MutableSpan x, double low, double high) {
  for (double& value : x) value = std::clamp(value, low, high);
}

}  // namespace kernmix
