#include "regularizer/simplex/entropy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/roots/root.hpp"

namespace kernmix {
namespace {

/// The root v of v + log v = y (Wright's omega), by Newton's method in log v from above.
double wright_omega(double y) {
  constexpr int kSteps = 100;
  double u = y <= 1.0 ? y : std::log(y);
  for (int k = 0; k < kSteps; ++k) {
    const double v = std::exp(u);
    const double next = u - (v + u - y) / (v + 1.0);
    if (!(next < u)) break;
    u = next;
  }
  return std::exp(u);
}

/// The d with log(M d) + k = v/2, v = s^2 / (theta d^2), which is v + log v = 2 (k + log M) +
/// log(s^2 / theta).
double entropy_weight(double s, double k, double theta, double M) {
  const double v =
      s > 0.0 ? wright_omega(2.0 * (k + std::log(M) + std::log(s)) - std::log(theta)) : 0.0;
  return v > 1.0 ? s / std::sqrt(theta * v) : std::exp(0.5 * v - k) / M;
}

}  // namespace

WeightSet Entropy::weight_set(Index M) const {
  WeightSet set = simplex_set();
  // On the simplex the terms -d + 1/M sum to zero and make every term of the divergence >= 0.
  set.penalty = [scale = theta, M = static_cast<double>(M)](const Eigen::ArrayXd& x) {
    const Eigen::ArrayXd slope = scale * (M * x).max(1e-300).log();
    const double value = (slope * x + scale * (1.0 / M - x)).max(0.0).sum();
    return Jet{value, slope, scale / x.max(1e-300), 0.0, {}};
  };
  set.sparse = false;
  return set;
}

double Entropy::conjugate(ConstSpan q) const {
  const double top = largest(q);
  double mean = 0.0;
  for (const double square : q) mean += std::expm1(0.5 * (square - top) / theta);
  return 0.5 * top + theta * std::log1p(mean / static_cast<double>(q.size()));
}

void Entropy::maximizing_weights(ConstSpan q, MutableSpan d) const {
  const double top = largest(q);
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = std::exp(0.5 * (q[m] - top) / theta);
  const double total = std::accumulate(d.begin(), d.end(), 0.0);
  for (double& weight : d) weight /= total;
}

void Entropy::best_weights(ConstSpan s, MutableSpan d) const {
  const double M = static_cast<double>(d.size());
  const auto fill = [&](double k) {
    for (std::size_t m = 0; m < d.size(); ++m) d[m] = entropy_weight(s[m], k, theta, M);
  };
  // lambda <= Omega(s), which is at most the value at d ~ s; at lambda = 0 no weight is below 1/M.
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  fill(decreasing_root(0.0, 0.5 * sum * sum / theta + std::log(M), [&](double k) {
    fill(k);
    return std::accumulate(d.begin(), d.end(), -1.0);
  }));
  const double total = std::accumulate(d.begin(), d.end(), 0.0);
  for (double& weight : d) weight = total > 0.0 ? weight / total : 1.0 / M;
}

}  // namespace kernmix
