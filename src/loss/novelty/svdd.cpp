#include "loss/novelty/svdd.hpp"

#include "loss/threshold.hpp"

namespace kernmix {

void Svdd::check(ConstSpan /*y*/, ConstSpan C) const { check_total("svdd", nu, C); }

LossPoint Svdd::at(ConstSpan y, ConstSpan z, ConstSpan a, ConstSpan C) const {
  const LossPoint point = one_class().at(y, z, a, C);
  return {point.value + 0.5 * shift, point.gap, point.size + 0.5 * shift, {point.bias[0] + shift}};
}

}  // namespace kernmix
