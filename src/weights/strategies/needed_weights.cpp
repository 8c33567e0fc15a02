#include "weights/strategies/needed_weights.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear_algebra.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {

Vector keep_needed_weights(const WeightModel& model, Vector x) {
  constexpr double kHeldByOthers = 0.1;
  constexpr double kLittle = 0.1;
  if (model.B.cols == 0) return x;  // no curvature: no sample is free
  const auto d = as_vector(ConstSpan(model.d));
  const auto q = as_vector(ConstSpan(model.q));
  const Eigen::VectorXd fall = d - as_vector(ConstSpan(x));
  const Eigen::VectorXd rise = as_matrix(model.B) * (as_matrix(model.B).transpose() * fall);
  const double top = (q + 2.0 * rise).maxCoeff();
  for (Index m = 0; m < length(x); ++m) {
    if (!(fall[m] > 0.0 && q[m] > 0.0 && q[m] < top)) continue;
    const double v = rise[m] * d[m] / (fall[m] * q[m]);
    if (v < kHeldByOthers) continue;
    const double part = std::pow(q[m] / top, 0.5 / v);
    double& weight = x[static_cast<std::size_t>(m)];
    if (part > kLittle) weight = std::max(weight, part * d[m]);
  }
  as_vector(MutableSpan(x)) /= as_vector(ConstSpan(x)).sum();
  return x;
}

bool took_needed_weights(const Point& before, const Point& after) {
  constexpr double kFarWorse = 20.0;
  return after.certificate.relative_gap() > kFarWorse * before.certificate.relative_gap();
}

const Strategy strategy::needed_weights{
    .name = "needed-weights",
    .what = "keeps weight on kernels that alone span some directions of the feature space",
    .keep = keep_needed_weights,
    .took = took_needed_weights};

}  // namespace kernmix
