#include "regularizer/balls/sgmkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/arguments.hpp"
#include "base/roots/root.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

/// The t > 0 with v t sum d + (1 - v) t^2 sum d^2 = 1.
double sgmkl_scale(ConstSpan d, double v) {
  const double linear = v * std::accumulate(d.begin(), d.end(), 0.0);
  const double square = (1.0 - v) * sum_of_squares(d);
  return 2.0 / (linear + std::sqrt(linear * linear + 4.0 * square));
}

double sgmkl_sum(ConstSpan d, double v) {
  return v * std::accumulate(d.begin(), d.end(), 0.0) + (1.0 - v) * sum_of_squares(d);
}

}  // namespace

double sgmkl_share(const std::string& text) {
  const double v = Arguments(text, {"v"}, name_of(text) + ":v=0.5").number("v");
  if (v >= 0.0 && v <= 1.0) return v;
  throw ParameterError(fmt::format("{}: v must lie in [0, 1], got {}", name_of(text), v));
}

/// The ends of the path are separate regularizers.
Regularizer Sgmkl::parse(const std::string& text) {
  const double share = sgmkl_share(text);
  if (share == 0.0) return Lp{2.0};
  if (share == 1.0) return L1{};
  return Sgmkl{share};
}

Vector Sgmkl::initial_weights(Index M) const {
  Vector d(static_cast<std::size_t>(M), 1.0);
  std::ranges::fill(d, sgmkl_scale(d, v));
  return d;
}

double Sgmkl::conjugate(ConstSpan q) const {
  const double top = 0.5 * largest(q);
  if (top <= 0.0) return 0.0;
  // The maximiser is d = (g / tau - v)_+ / (2 (1 - v)); any tau gives an upper bound.
  const double alone = top / (2.0 - v);
  const double together = top / (v + 2.0 * (1.0 - v) * initial_weights(length(q)).front());
  const double tau = decreasing_root(alone, together, [&](double trial) {
    double sum = -1.0;
    for (const double square : q) {
      const double d = std::max(0.5 * square / trial - v, 0.0) / (2.0 * (1.0 - v));
      sum += v * d + (1.0 - v) * d * d;
    }
    return sum;
  });
  double value = tau;
  for (const double square : q) {
    const double excess = std::max(0.5 * square - tau * v, 0.0);
    value += excess * excess / (4.0 * tau * (1.0 - v));
  }
  return value;
}

void Sgmkl::best_weights(ConstSpan s, MutableSpan d) const {
  const Vector centre = initial_weights(length(s));
  const double top = largest(s);
  if (top <= 0.0) {
    std::ranges::copy(centre, d.begin());
    return;
  }
  // With one kernel of norm `top` the constraint is tight at d = 1, with M such kernels at the
  // centre.
  const auto tau_at = [&](double weight) {
    const double ratio = top / weight;
    return 0.5 * ratio * ratio / (v + 2.0 * (1.0 - v) * weight);
  };
  const auto fill = [&](double tau) {
    for (std::size_t m = 0; m < d.size(); ++m)
      d[m] = cubic_weight(s[m], v, 2.0 * (1.0 - v), 0.5 / tau);
  };
  fill(decreasing_root(tau_at(1.0), tau_at(centre.front()), [&](double tau) {
    fill(tau);
    return sgmkl_sum(d, v) - 1.0;
  }));
  const double scale = sgmkl_scale(d, v);
  for (double& weight : d) weight *= scale;
}

void Sgmkl::project(MutableSpan x) const {
  const auto shrink = [&](double lambda, ConstSpan z, MutableSpan to) {
    for (std::size_t m = 0; m < z.size(); ++m) {
      to[m] = std::max(z[m] - lambda * v, 0.0) / (1.0 + 2.0 * lambda * (1.0 - v));
    }
  };
  const auto excess = [&](ConstSpan at) { return sgmkl_sum(at, v) - 1.0; };
  project_by_multiplier(x, shrink, excess, [&](ConstSpan z) { return largest(z) / v; });
}

WeightSet Sgmkl::weight_set(Index) const {
  WeightSet set;
  set.constraint = [v = v](const Eigen::ArrayXd& x) {
    const double w = 1.0 - v;
    return Jet{(v * x + w * x.square()).sum(),
               v + 2.0 * w * x,
               Eigen::ArrayXd::Constant(x.size(), 2.0 * w),
               0.0,
               {}};
  };
  return set;
}

}  // namespace kernmix
