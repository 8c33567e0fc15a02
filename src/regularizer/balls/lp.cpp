#include "regularizer/balls/lp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/arguments.hpp"
#include "base/roots/root.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

/// The root x in [0, z] of x + c x^{p-1} = z by safeguarded Newton; c >= 0, p > 1.
double shrink(double z, double c, double p) {
  if (z <= 0.0 || c == 0.0) return std::max(z, 0.0);
  double low = 0.0;
  double high = z;
  // Each term alone gives an upper bound, close to the root if the term dominates.
  double x = std::min(z, std::pow(z / c, 1.0 / (p - 1.0)));
  for (int k = 0; k < 100 && high - low > 1e-16 * high; ++k) {
    const double power = c * std::pow(x, p - 1.0);
    const double residual = x + power - z;
    (residual > 0.0 ? high : low) = x;
    const double newton = x - residual / (1.0 + (p - 1.0) * power / x);
    const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
    if (std::abs(next - x) <= 1e-16 * x) break;
    x = next;
  }
  return x;
}

}  // namespace

/// The limits p = 1 and p = infinity are separate regularizers.
Regularizer Lp::parse(const std::string& text) {
  const double p = Arguments(text, {"p"}, info().example).number("p");
  if (!(p >= 1.0)) throw ParameterError(fmt::format("lp: p must be >= 1, got {}", p));
  if (p == 1.0) return L1{};
  if (std::isinf(p)) return Sum{};
  return Lp{p};
}

Vector Lp::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), std::pow(static_cast<double>(M), -1.0 / p));
}

double Lp::omega(ConstSpan s) const {
  const double norm = power_norm(s, 2.0 * p / (p + 1.0));
  return 0.5 * norm * norm;
}

double Lp::conjugate(ConstSpan q) const { return 0.5 * power_norm(q, p / (p - 1.0)); }

void Lp::unit_power(ConstSpan v, double exponent, MutableSpan d) const {
  const double top = largest(v);
  if (top <= 0.0) {
    std::ranges::copy(initial_weights(length(d)), d.begin());
    return;
  }
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = std::pow(v[m] / top, exponent);
  const double norm = power_norm(d, p);
  for (double& weight : d) weight /= norm;
}

// With P = p*: e = (P-1)/2 (q/|q|)^{P-2} / |q| and c = -(P-1)/2 / |q|, |q| the P-norm.
ConjugateCurvature Lp::conjugate_curvature(ConstSpan q, ConstSpan) const {
  ConjugateCurvature curvature{Vector(q.size(), 0.0), 0.0};
  const double P = p / (p - 1.0);
  const double norm = power_norm(q, P);
  if (norm == 0.0) return curvature;
  for (std::size_t m = 0; m < q.size(); ++m) {
    const double ratio = std::pow(q[m] / norm, P - 2.0);
    curvature.diagonal[m] = std::isfinite(ratio) ? 0.5 * (P - 1.0) * ratio / norm : 0.0;
  }
  curvature.rank_one = -0.5 * (P - 1.0) / norm;
  return curvature;
}

void Lp::project(MutableSpan x) const {
  for (double& value : x) value = std::max(value, 0.0);
  if (power_norm(x, p) <= 1.0) return;
  const Vector z(x.begin(), x.end());
  const auto norm_at = [&](double lambda) {
    for (std::size_t m = 0; m < x.size(); ++m) x[m] = shrink(z[m], lambda * p, p);
    return power_norm(x, p);
  };
  const double norm = norm_at(multiplier_of_unit_norm(norm_at));
  for (double& value : x) value /= std::max(norm, 1.0);
}

WeightSet Lp::weight_set(Index) const {
  WeightSet set;
  set.constraint = [p = p](const Eigen::ArrayXd& x) {
    const Eigen::ArrayXd power = x.pow(p - 1.0);
    return Jet{(power * x).sum(), p * power, p * (p - 1.0) * x.pow(p - 2.0), 0.0, {}};
  };
  set.sparse = false;
  return set;
}

}  // namespace kernmix
