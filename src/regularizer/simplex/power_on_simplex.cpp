#include "regularizer/simplex/power_on_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/roots/root.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

/// x^exponent; most ask for p = 2, whose exponents are 1.
double raised(double x, double exponent) { return exponent == 1.0 ? x : std::pow(x, exponent); }

/// The weight of a kernel with norm s for lambda = 0.
double free_weight(const SimplexPower& phi, double s) {
  const double root = 1.0 / (phi.p + 1.0);
  return std::pow(phi.rho, (phi.p - 1.0) * root) * std::pow(s, 2.0 * root);
}

/// The weight of a kernel with norm s for the multiplier lambda of sum d = 1, which may be
/// negative. `above` is its free_weight().
double power_weight(const SimplexPower& phi, double s, double above, double lambda) {
  const double p = phi.p;
  const double idle = lambda < 0.0 ? phi.rho * raised(-lambda, 1.0 / (p - 1.0)) : 0.0;
  if (s == 0.0) return idle;
  // Divided by s^2, so that small norms do not underflow.
  const auto residual_and_slope = [&](double d) {
    const double power = raised(d / phi.rho, p - 1.0);
    const double ratio = d / s;
    return std::pair((power + lambda) * ratio * ratio - 0.5,
                     ((p + 1.0) * power + 2.0 * lambda) * ratio / s);
  };
  if (lambda > 0.0) above = std::min(above, s / std::sqrt(2.0 * lambda));
  while (residual_and_slope(idle + above).first < 0.0) above *= 2.0;
  return root_from_above(idle + above, residual_and_slope);
}

}  // namespace

double SimplexPower::conjugate(ConstSpan q) const {
  const double top = 0.5 * largest(q);
  const auto weight = [&](double square, double lambda) {
    return rho * raised(std::max(0.5 * square - lambda, 0.0), 1.0 / (p - 1.0));
  };
  // At top - rho^{1-p} the largest alone takes all of the mass.
  const double alone = top - std::pow(rho, 1.0 - p);
  const double lambda = decreasing_root(alone, top, [&](double trial) {
    double sum = -1.0;
    for (const double square : q) sum += weight(square, trial);
    return sum;
  });
  double value = 0.0;
  for (const double square : q) {
    value += std::max(0.5 * square - lambda, 0.0) * weight(square, lambda);
  }
  return lambda + (p - 1.0) / p * value;
}

void SimplexPower::best_weights(ConstSpan s, MutableSpan d) const {
  Vector free(s.begin(), s.end());
  for (double& weight : free) weight = free_weight(*this, weight);
  const auto fill = [&](double lambda) {
    for (std::size_t m = 0; m < d.size(); ++m) d[m] = power_weight(*this, s[m], free[m], lambda);
  };
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  const double even = 1.0 / static_cast<double>(d.size());
  // d >= rho (-lambda)^{1/(p-1)} for negative lambda, d <= s / sqrt(2 lambda) for positive.
  const double low = -std::pow(even / rho, p - 1.0);
  fill(decreasing_root(low, 0.5 * sum * sum, [&](double lambda) {
    fill(lambda);
    return std::accumulate(d.begin(), d.end(), -1.0);
  }));
  const double total = std::accumulate(d.begin(), d.end(), 0.0);
  for (double& weight : d) weight = total > 0.0 ? weight / total : even;
}

WeightSet SimplexPower::weight_set() const {
  WeightSet set = simplex_set();
  set.penalty = [p = p, rho = rho](const Eigen::ArrayXd& x) {
    const Eigen::ArrayXd slope = (x / rho).pow(p - 1.0);
    return Jet{(slope * x).sum() / p, slope, (p - 1.0) / rho * (x / rho).pow(p - 2.0), 0.0, {}};
  };
  return set;
}

}  // namespace kernmix
