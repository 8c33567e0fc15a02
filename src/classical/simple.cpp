#include "classical/simple.hpp"

#include <limits>
#include <numeric>

namespace kernmix {
namespace {

/// Weights below this are zero (SimpleMKL's numerical precision).
constexpr double kNoWeight = 1e-8;

/// The weight farthest from its bounds; if all are at a bound, the nonzero one with the largest
/// gradient.
std::size_t base_of(const Vector& g, const Vector& d, double bound) {
  std::size_t base = 0;
  double room = -1.0;
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (std::min(d[m], bound - d[m]) <= room) continue;
    room = std::min(d[m], bound - d[m]);
    base = m;
  }
  if (room > 0.0) return base;
  double worst = -std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] <= 0.0 || g[m] <= worst) continue;
    worst = g[m];
    base = m;
  }
  return base;
}

}  // namespace

ReducedDirection::ReducedDirection(const Vector& g, const Vector& d, double bound)
    : bound_(bound), base_(base_of(g, d, bound)), direction_(g.size()) {
  const double size = std::sqrt(std::inner_product(g.begin(), g.end(), g.begin(), 0.0));
  for (std::size_t m = 0; m < g.size(); ++m) {
    direction_[m] = size > 0.0 ? (g[base_] - g[m]) / size : 0.0;
  }
  stay_inside(d);
}

void ReducedDirection::stay_inside(const Vector& d) {
  double sum = 0.0;
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (m == base_) continue;
    if (d[m] <= kNoWeight && direction_[m] < 0.0) direction_[m] = 0.0;
    if (d[m] >= bound_ - kNoWeight && direction_[m] > 0.0) direction_[m] = 0.0;
    sum += direction_[m];
  }
  direction_[base_] = -sum;
}

double ReducedDirection::longest(const Vector& d) const {
  double t = std::numeric_limits<double>::infinity();
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (direction_[m] < 0.0) t = std::min(t, -d[m] / direction_[m]);
    if (direction_[m] > 0.0) t = std::min(t, (bound_ - d[m]) / direction_[m]);
  }
  return std::isfinite(t) ? std::max(t, 0.0) : 0.0;
}

Vector ReducedDirection::step(const Vector& d, double t) const {
  Vector x = moved(d, t, direction_);
  double sum = 0.0;
  for (double& weight : x) {
    if (weight <= kNoWeight) weight = 0.0;
    weight = std::min(weight, bound_);
    sum += weight;
  }
  for (double& weight : x) weight = std::min(weight / sum, bound_);
  return x;
}

}  // namespace kernmix
