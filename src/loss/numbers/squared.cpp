#include "loss/numbers/squared.hpp"

namespace kernmix {

/// The mean is computed relative to the first residual, so that it is exact for equal residuals.
double Squared::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  if (y.empty()) return 0.0;
  const double first = y[0] - z[0];
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += C[i] * (y[i] - z[i] - first);
    weight += C[i];
  }
  return first + sum / weight;
}

}  // namespace kernmix
