#include "regularizer/balls/ufo.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/arguments.hpp"
#include "base/roots/root.hpp"
#include "kernmix/error.hpp"
#include "kernmix/range.hpp"
#include "regularizer/any.hpp"
#include "regularizer/balls/lp.hpp"
#include "regularizer/norm_prox.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

constexpr double kOutside = std::numeric_limits<double>::infinity();

/// P, the exponent of the dual norm.
double ufo_exponent(Index M) { return M < 3 ? 2.0 : 2.0 * std::log(static_cast<double>(M)); }

/// ||d||_{P/(P-2)}, the norm that bounds D.
double ufo_weight_norm(ConstSpan d) {
  const double P = ufo_exponent(length(d));
  return P == 2.0 ? largest(d) : power_norm(d, P / (P - 2.0));
}

/// (sqrt(q) - alpha)_+
Vector ufo_excess(ConstSpan q, double alpha) {
  Vector v(q.size());
  for (std::size_t m = 0; m < v.size(); ++m) v[m] = std::max(std::sqrt(q[m]) - alpha, 0.0);
  return v;
}

/// The root w > 0 of T w^{P-1} = weight (w + alpha), P > 2.
double ufo_root(double weight, double alpha, double T, double P) {
  if (weight <= 0.0) return 0.0;
  const double from_w = std::pow(2.0 * weight / T, 1.0 / (P - 2.0));
  const double from_alpha = std::pow(2.0 * weight * alpha / T, 1.0 / (P - 1.0));
  return root_from_above(std::max(from_w, from_alpha), [&](double w) {
    const double power = T * std::pow(w, P - 2.0);
    return std::pair(w * power - weight * (w + alpha), (P - 1.0) * power - weight);
  });
}

/// w = sqrt(q) - alpha at the q that attains Phi(d) = max_q d'q/2 - sigma(q/2); alpha > 0, d in D.
Vector ufo_attaining(ConstSpan d, double lambda, double alpha) {
  const double P = ufo_exponent(length(d));
  Vector w(d.size());
  if (P == 2.0) {
    for (std::size_t m = 0; m < w.size(); ++m) w[m] = alpha * d[m] / (1.0 / lambda - d[m]);
    return w;
  }
  // T = ||w||^{2-P} / lambda closes the equations; lambda T ||w(T)||^{P-2} increases with T.
  const auto excess = [&](double log_T) {
    const double T = std::exp(log_T);
    for (std::size_t m = 0; m < w.size(); ++m) w[m] = ufo_root(d[m], alpha, T, P);
    return -(std::log(lambda) + log_T + (P - 2.0) * std::log(power_norm(w, P)));
  };
  double low = 0.0;
  double high = 0.0;
  for (double step = 1.0; excess(low) < 0.0; step *= 2.0) low -= step;
  for (double step = 1.0; excess(high) > 0.0; step *= 2.0) high += step;
  static_cast<void>(excess(decreasing_root(low, high, excess)));
  return w;
}

}  // namespace

Regularizer Ufo::parse(const std::string& text) {
  const Arguments arguments(text, {"lambda", "alpha"}, info().example);
  const double alpha = arguments.number("alpha", 0.0);
  if (!zero_or_in_parameter_range(alpha)) {
    throw ParameterError(fmt::format("ufo: alpha must be 0 or lie in [{}, {}], got {}",
                                     smallest_parameter, largest_parameter, alpha));
  }
  return Ufo{arguments.positive("lambda"), alpha};
}

Vector Ufo::initial_weights(Index M) const {
  const Vector ones(static_cast<std::size_t>(M), 1.0);
  return Vector(ones.size(), 0.5 / (lambda * ufo_weight_norm(ones)));
}

double Ufo::omega(ConstSpan s) const {
  const double P = ufo_exponent(length(s));
  const double norm = power_norm(s, P / (P - 1.0));
  return 0.5 * lambda * norm * norm + alpha * std::accumulate(s.begin(), s.end(), 0.0);
}

double Ufo::conjugate(ConstSpan q) const {
  const double norm = power_norm(ufo_excess(q, alpha), ufo_exponent(length(q)));
  return norm * norm / (2.0 * lambda);
}

double Ufo::penalty(ConstSpan d) const {
  const double size = lambda * ufo_weight_norm(d);
  if (alpha == 0.0) return size <= 1.0 + 1e-12 ? 0.0 : kOutside;
  if (size == 0.0) return 0.0;
  if (size >= 1.0) return kOutside;
  const Vector w = ufo_attaining(d, lambda, alpha);
  double sum = 0.0;
  for (std::size_t m = 0; m < w.size(); ++m) sum += d[m] * (alpha + w[m]);
  return 0.5 * alpha * sum;
}

void Ufo::add_penalty_slope(ConstSpan d, MutableSpan slope) const {
  if (alpha == 0.0 || largest(d) == 0.0) return;
  const Vector w = ufo_attaining(d, lambda, alpha);
  for (std::size_t m = 0; m < w.size(); ++m) {
    slope[m] += 0.5 * (alpha + w[m]) * (alpha + w[m]);
  }
}

void Ufo::best_weights(ConstSpan s, MutableSpan d) const {
  const double P = ufo_exponent(length(s));
  const double p = P / (P - 1.0);
  const double norm = power_norm(s, p);
  if (norm <= 0.0 && alpha == 0.0) {
    std::ranges::copy(initial_weights(length(d)), d.begin());
    return;
  }
  for (std::size_t m = 0; m < d.size(); ++m) {
    // s / (lambda norm (s/norm)^{p-1} + alpha), whose limit at s = 0 is 1/lambda for p = 2.
    if (s[m] > 0.0) {
      d[m] = s[m] / (lambda * norm * std::pow(s[m] / norm, p - 1.0) + alpha);
    } else {
      d[m] = P == 2.0 && alpha == 0.0 ? 1.0 / lambda : 0.0;
    }
  }
  const double size = lambda * ufo_weight_norm(d);
  if (size > room()) {
    for (double& weight : d) weight *= room() / size;
  }
}

void Ufo::maximizing_weights(ConstSpan q, MutableSpan d) const {
  const double P = ufo_exponent(length(q));
  const Vector v = ufo_excess(q, alpha);
  const double norm = power_norm(v, P);
  for (std::size_t m = 0; m < d.size(); ++m) {
    d[m] = v[m] > 0.0 ? norm * std::pow(v[m] / norm, P - 1.0) / (lambda * std::sqrt(q[m])) : 0.0;
  }
}

void Ufo::project(MutableSpan x) const {
  const double P = ufo_exponent(length(x));
  if (P == 2.0) return clip(x, 0.0, room() / lambda);
  for (double& value : x) value *= lambda / room();
  Lp{P / (P - 2.0)}.project(x);
  for (double& value : x) value *= room() / lambda;
}

void Ufo::prox(double gamma, ConstSpan x, MutableSpan s) const {
  const double P = ufo_exponent(length(x));
  Vector excess(x.begin(), x.end());
  for (double& value : excess) value = std::max(value - gamma * alpha, 0.0);
  if (P == 2.0) return net_prox(gamma, 0.0, lambda, excess, s);
  power_prox(gamma * lambda, P / (P - 1.0), excess, s);
}

ProxSlope Ufo::prox_slope(double gamma, ConstSpan s) const {
  const double P = ufo_exponent(length(s));
  if (P == 2.0) return net_prox_slope(gamma, lambda, s);
  return power_prox_slope(gamma * lambda, P / (P - 1.0), s);
}

}  // namespace kernmix
