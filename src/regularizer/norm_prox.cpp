#include "regularizer/norm_prox.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "base/roots/root.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

/// The root of s + c s^{r-1} = x, 1 < r < 2, in s = e^y: the left side increases with y.
double power_root(double x, double c, double r) {
  if (x <= 0.0) return 0.0;
  if (c <= 0.0) return x;
  // Each term alone gives an upper bound; a lower bound is where both are half of x.
  double high = std::min(x, std::pow(x / c, 1.0 / (r - 1.0)));
  double low = std::min(0.5 * x, std::pow(0.5 * x / c, 1.0 / (r - 1.0)));
  double s = high;
  for (int k = 0; k < 100 && high - low > 1e-16 * high; ++k) {
    const double power = c * std::pow(s, r - 1.0);
    const double residual = s + power - x;
    (residual > 0.0 ? high : low) = s;
    const double newton = s * std::exp(-residual / (s + (r - 1.0) * power));
    const double next = newton > low && newton < high ? newton : std::sqrt(low * high);
    if (std::abs(next - s) <= 1e-16 * s) break;
    s = next;
  }
  return s;
}

}  // namespace

void net_prox(double gamma, double l1, double l2, ConstSpan x, MutableSpan s) {
  for (std::size_t m = 0; m < x.size(); ++m) {
    s[m] = std::max(x[m] - gamma * l1, 0.0) / (1.0 + gamma * l2);
  }
}

ProxSlope net_prox_slope(double gamma, double l2, ConstSpan s) {
  ProxSlope slope{Vector(s.size(), 0.0), 0.0, {}};
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] > 0.0) slope.diagonal[m] = 1.0 / (1.0 + gamma * l2);
  }
  return slope;
}

void squared_sum_prox(double gamma, double lambda, ConstSpan x, MutableSpan s) {
  Vector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double threshold = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate =
        gamma * sum / (1.0 + gamma * lambda + gamma * static_cast<double>(k + 1));
    if (candidate >= sorted[k]) break;
    threshold = candidate;
  }
  for (std::size_t m = 0; m < x.size(); ++m) {
    s[m] = std::max(x[m] - threshold, 0.0) / (1.0 + gamma * lambda);
  }
}

ProxSlope squared_sum_prox_slope(double gamma, double lambda, ConstSpan s) {
  ProxSlope slope{Vector(s.size(), 0.0), 0.0, Vector(s.size(), 0.0)};
  const double shrink = 1.0 / (1.0 + gamma * lambda);
  double active = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] <= 0.0) continue;
    active += 1.0;
    slope.diagonal[m] = shrink;
    slope.direction[m] = 1.0;
  }
  slope.factor = -shrink * gamma / (1.0 + gamma * lambda + gamma * active);
  return slope;
}

void power_prox(double gamma, double r, ConstSpan x, MutableSpan s) {
  const auto size_at = [&](double norm) {
    const double c = gamma * std::pow(norm, 2.0 - r);
    for (std::size_t m = 0; m < x.size(); ++m) s[m] = power_root(x[m], c, r);
    return power_norm(s, r);
  };
  const double top = power_norm(x, r);
  if (top == 0.0) {
    std::ranges::fill(s, 0.0);
    return;
  }
  // ||s(N)|| - N decreases with N.
  const double norm = decreasing_root(0.0, top, [&](double N) { return size_at(N) - N; });
  static_cast<void>(size_at(norm));
}

ProxSlope power_prox_slope(double gamma, double r, ConstSpan s) {
  // The inverse of I + gamma Omega'' with Omega'' = (r-1) diag((s/N)^{r-2}) + (2-r) u u',
  // u = (s/N)^{r-1}, by Sherman and Morrison.
  ProxSlope slope{Vector(s.size(), 0.0), 0.0, Vector(s.size(), 0.0)};
  const double norm = power_norm(s, r);
  if (norm == 0.0) return slope;
  double product = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] <= 0.0) continue;
    const double ratio = s[m] / norm;
    const double u = std::pow(ratio, r - 1.0);
    slope.diagonal[m] = 1.0 / (1.0 + gamma * (r - 1.0) * u / ratio);
    slope.direction[m] = slope.diagonal[m] * u;
    product += u * slope.direction[m];
  }
  slope.factor = -gamma * (2.0 - r) / (1.0 + gamma * (2.0 - r) * product);
  return slope;
}

}  // namespace kernmix
