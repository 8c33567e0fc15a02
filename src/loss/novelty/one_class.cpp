#include "loss/novelty/one_class.hpp"

#include "loss/threshold.hpp"

namespace kernmix {

void OneClass::check(ConstSpan /*y*/, ConstSpan C) const { check_total("one-class", nu, C); }

LossPoint OneClass::at(ConstSpan /*y*/, ConstSpan z, ConstSpan a, ConstSpan C) const {
  const ClassMargins all{Vector(z.begin(), z.end()), Vector(a.begin(), a.end()),
                         Vector(C.begin(), C.end())};
  const Threshold best = best_threshold(all, 1.0);
  return {best.value, best.gap, best.size, {-best.r}};
}

DualSet OneClass::dual_set(ConstSpan y, ConstSpan C) const {
  return {
      Vector(y.size(), 0.0), Vector(C.begin(), C.end()), std::vector<Index>(y.size(), 0), {1.0}};
}

}  // namespace kernmix
