#include "regularizer/groups/group_ball.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "regularizer/groups/groups.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

/// r / (2r - 2), half the exponent dual to r.
double half_dual_exponent(double r) {
  if (r == 1.0) return std::numeric_limits<double>::infinity();
  return std::isinf(r) ? 0.5 : r / (2.0 * r - 2.0);
}

}  // namespace

double GroupBall::weight_norm(ConstSpan d) const {
  const auto exponent_of_weights = [](double r) { return r / (2.0 - r); };  // infinite for r = 2
  Vector norms = group_norms(d, group, exponent_of_weights(inner));
  for (std::size_t j = 0; j < norms.size(); ++j) norms[j] *= scale[j];
  return power_norm(norms, exponent_of_weights(outer));
}

Vector GroupBall::scaled_norms(ConstSpan s) const {
  Vector norms = group_norms(s, group, inner);
  for (std::size_t j = 0; j < norms.size(); ++j) norms[j] *= std::sqrt(scale[j]);
  return norms;
}

double GroupBall::omega(ConstSpan s) const {
  const double norm = power_norm(scaled_norms(s), outer);
  return 0.5 * norm * norm;
}

double GroupBall::conjugate(ConstSpan q) const {
  Vector norms = group_norms(q, group, half_dual_exponent(inner));
  for (std::size_t j = 0; j < norms.size(); ++j) norms[j] /= scale[j];
  return 0.5 * power_norm(norms, half_dual_exponent(outer));
}

void GroupBall::best_weights(ConstSpan s, MutableSpan d) const {
  const Vector norms = scaled_norms(s);
  const double total = power_norm(norms, outer);
  const Vector even = even_weights();
  if (!(total > 0.0)) {
    std::ranges::copy(even, d.begin());
    return;
  }
  const Vector sizes = group_sizes(group);
  for (std::size_t m = 0; m < d.size(); ++m) {
    const auto j = static_cast<std::size_t>(group[m]);
    const double within = norms[j] > 0.0
                              ? std::pow(s[m] * std::sqrt(scale[j]) / norms[j], 2.0 - inner)
                              : std::pow(sizes[j], 1.0 - 2.0 / inner);
    d[m] = std::pow(norms[j] / total, 2.0 - outer) * within / scale[j];
  }
}

Vector GroupBall::even_weights() const {
  const Vector sizes = group_sizes(group);
  const double share = std::pow(static_cast<double>(sizes.size()), 1.0 - 2.0 / outer);
  Vector d(group.size());
  for (std::size_t m = 0; m < d.size(); ++m) {
    const auto j = static_cast<std::size_t>(group[m]);
    d[m] = share * std::pow(sizes[j], 1.0 - 2.0 / inner) / scale[j];
  }
  return d;
}

}  // namespace kernmix
