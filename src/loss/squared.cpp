#include "kernmix/loss/squared.hpp"

namespace kernmix {

double Squared::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  double sum = 0.0;
  double weight = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    sum += C[i] * (y[i] - z[i]);
    weight += C[i];
  }
  return sum / weight;
}

}  // namespace kernmix
