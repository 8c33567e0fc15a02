#include "solver/outer/bundle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace kernmix {

void Bundle::add(const Point& point) {
  if (gains_.size() == kLargest) {
    gains_.erase(gains_.begin());
    q_.erase(q_.begin());
  }
  gains_.push_back(point.gain);
  q_.push_back(point.q);
}

Vector Bundle::shifted(ConstSpan centre, ConstSpan multipliers) const {
  Vector x(centre.begin(), centre.end());
  for (std::size_t i = 0; i < q_.size(); ++i) {
    if (multipliers[i] == 0.0) continue;
    for (std::size_t m = 0; m < x.size(); ++m) x[m] += 0.5 * multipliers[i] * q_[i][m];
  }
  return x;
}

double Bundle::lower_bound(ConstSpan multipliers, const Support& support) const {
  const double total = std::accumulate(multipliers.begin(), multipliers.end(), 0.0);
  if (total <= 0.0) return -std::numeric_limits<double>::infinity();
  Vector mean(q_.front().size(), 0.0);
  double gain = 0.0;
  for (std::size_t i = 0; i < q_.size(); ++i) {
    const double share = multipliers[i] / total;
    gain += share * gains_[i];
    for (std::size_t m = 0; m < mean.size(); ++m) mean[m] += share * q_[i][m];
  }
  return gain - support(mean);
}

Vector Bundle::level_step(ConstSpan centre, double upper, double lower, const Support& support,
                          const Project& project) const {
  // The dual of the projection, max_{mu >= 0} min_{x in D} 1/2 |x - centre|^2 + mu'(cuts(x) -
  // level), has a gradient cuts(x(mu)) - level with x(mu) = proj_D(centre + 1/2 sum mu_i q_i),
  // Lipschitz with constant |Q|^2 / 4; accelerated gradient with restart.
  constexpr int kSteps = 500;
  double lipschitz = 0.0;
  for (const Vector& q : q_)
    lipschitz += 0.25 * std::inner_product(q.begin(), q.end(), q.begin(), 0.0);
  if (lipschitz == 0.0) return Vector(centre.begin(), centre.end());
  double level = 0.5 * (upper + lower);
  Vector mu(q_.size(), 0.0);
  Vector ahead = mu;
  Vector x;
  double momentum = 1.0;
  for (int step = 0; step < kSteps; ++step) {
    x = shifted(centre, ahead);
    project(x);
    const Vector previous = mu;
    double violation = -std::numeric_limits<double>::infinity();
    double progress = 0.0;
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double cut =
          gains_[i] - 0.5 * std::inner_product(x.begin(), x.end(), q_[i].begin(), 0.0);
      violation = std::max(violation, cut - level);
      mu[i] = std::max(ahead[i] + (cut - level) / lipschitz, 0.0);
      progress += (mu[i] - ahead[i]) * (mu[i] - previous[i]);
    }
    if (violation <= 0.05 * (upper - level)) break;
    if (const double bound = lower_bound(mu, support); bound > level) {
      level = 0.5 * (upper + std::min(bound, upper));
    }
    const double next =
        progress < 0.0 ? 1.0 : 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
    const double weight = progress < 0.0 ? 0.0 : (momentum - 1.0) / next;
    momentum = next;
    for (std::size_t i = 0; i < mu.size(); ++i) {
      ahead[i] = std::max(mu[i] + weight * (mu[i] - previous[i]), 0.0);
    }
  }
  return x;
}

}  // namespace kernmix
