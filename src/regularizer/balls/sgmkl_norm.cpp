#include "regularizer/balls/sgmkl_norm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/roots/root.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

double sgmkl_gauge(ConstSpan d, double v) {
  return v * std::accumulate(d.begin(), d.end(), 0.0) + (1.0 - v) * std::sqrt(sum_of_squares(d));
}

}  // namespace

/// The ends of the path are separate regularizers.
Regularizer SgmklNorm::parse(const std::string& text) {
  const double share = sgmkl_share(text);
  if (share == 0.0) return Lp{2.0};
  if (share == 1.0) return L1{};
  return SgmklNorm{share};
}

Vector SgmklNorm::initial_weights(Index M) const {
  const double kernels = static_cast<double>(M);
  return Vector(static_cast<std::size_t>(M), 1.0 / (v * kernels + (1.0 - v) * std::sqrt(kernels)));
}

double SgmklNorm::conjugate(ConstSpan q) const {
  const double top = 0.5 * largest(q);
  if (top <= 0.0) return 0.0;
  const double high = 0.5 * power_norm(q, 2.0) / (1.0 - v);
  return decreasing_root(top, high, [&](double tau) {
    double squares = 0.0;
    for (const double square : q) {
      const double excess = std::max(0.5 * square - tau * v, 0.0) / top;
      squares += excess * excess;
    }
    return top * std::sqrt(squares) - tau * (1.0 - v);
  });
}

void SgmklNorm::best_weights(ConstSpan s, MutableSpan d) const {
  const double top = largest(s);
  if (top <= 0.0) {
    std::ranges::copy(initial_weights(length(s)), d.begin());
    return;
  }
  // x has norm 1 at x = 1 for one kernel of norm `top`, at M^{-1/2} for M such kernels. Norms are
  // taken in units of the largest.
  const double even = 1.0 / std::sqrt(static_cast<double>(s.size()));
  const auto fill = [&](double tau) {
    for (std::size_t m = 0; m < d.size(); ++m) {
      d[m] = cubic_weight(s[m] / top, v, 1.0 - v, 1.0 / tau);
    }
  };
  fill(decreasing_root(1.0, 1.0 / ((v + (1.0 - v) * even) * even * even), [&](double tau) {
    fill(tau);
    return sum_of_squares(d) - 1.0;
  }));
  const double gauge = sgmkl_gauge(d, v);
  for (double& weight : d) weight /= gauge;
}

void SgmklNorm::project(MutableSpan x) const {
  const auto shrink = [&](double lambda, ConstSpan z, MutableSpan to) {
    for (std::size_t m = 0; m < z.size(); ++m) to[m] = std::max(z[m] - lambda * v, 0.0);
    const double norm = std::sqrt(sum_of_squares(to));
    const double factor = norm > 0.0 ? std::max(1.0 - lambda * (1.0 - v) / norm, 0.0) : 0.0;
    for (double& value : to) value *= factor;
  };
  const auto excess = [&](ConstSpan at) { return sgmkl_gauge(at, v) - 1.0; };
  project_by_multiplier(x, shrink, excess, [&](ConstSpan z) { return largest(z) / v; });
}

WeightSet SgmklNorm::weight_set(Index) const {
  WeightSet set;
  set.constraint = [v = v](const Eigen::ArrayXd& x) {
    const double N = std::sqrt(x.square().sum());
    const double w = 1.0 - v;
    return Jet{v * x.sum() + w * N, v + w * x / N, Eigen::ArrayXd::Constant(x.size(), w / N),
               -w / N, x / N};
  };
  return set;
}

}  // namespace kernmix
