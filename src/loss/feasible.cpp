#include "kernmix/loss/feasible.hpp"

#include <algorithm>

namespace kernmix {

DualBox dual_box(const Loss& loss, ConstSpan y, ConstSpan C) {
  DualBox box{Vector(y.size()), Vector(y.size())};
  for (std::size_t i = 0; i < y.size(); ++i) {
    const DualBounds bounds =
        std::visit([&](const auto& l) { return l.dual_bounds(y[i], C[i]); }, loss);
    box.lower[i] = bounds.lower;
    box.upper[i] = bounds.upper;
  }
  return box;
}

void make_feasible(ConstSpan lower, ConstSpan upper, MutableSpan a) {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = std::clamp(a[i], lower[i], upper[i]);
    (a[i] > 0.0 ? positive : negative) += a[i];
  }
  if (positive == -negative) return;
  const double shrink_positive = positive > -negative ? -negative / positive : 1.0;
  const double shrink_negative = -negative > positive ? positive / -negative : 1.0;
  for (double& value : a) value *= value > 0.0 ? shrink_positive : shrink_negative;
}

}  // namespace kernmix
