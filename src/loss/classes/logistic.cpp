#include "loss/classes/logistic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "loss/bias_search.hpp"

namespace kernmix {
namespace {

/// 1 / (1 + exp(m)).
double coin(double m) {
  return m > 0.0 ? std::exp(-m) / (1.0 + std::exp(-m)) : 1.0 / (1.0 + std::exp(m));
}

/// log(1 + exp(-m)).
double softplus_of_minus(double m) {
  return m > 0.0 ? std::log1p(std::exp(-m)) : std::log1p(std::exp(m)) - m;
}

/// t log t, 0 at 0.
double entropy(double t) { return t > 0.0 ? t * std::log(t) : 0.0; }

/// h(x) = x - log(1 + x) for |x| <= 1/2, without cancellation: with s = x / (2 + x),
/// log(1 + x) = 2 (s + s^3/3 + s^5/5 + ...) and x - 2 s = x s.
double log_excess(double x) {
  const double s = x / (2.0 + x);
  const double square = s * s;
  double sum = 0.0;
  double power = s * square;
  for (int k = 3; std::abs(power) > 1e-18 * std::abs(s); k += 2, power *= square) sum += power / k;
  return x * s - 2.0 * sum;
}

/// t log(t / p) - (t - p) = t h((p - t) / t) >= 0, from p - t and log p.
double divergence(double t, double p, double difference, double log_p) {
  if (t <= 0.0) return p;
  const double x = difference / t;
  if (std::abs(x) <= 0.5) return t * log_excess(x);
  return t * (std::log(t) - log_p) + difference;
}

}  // namespace

double Logistic::value(double y, double z, double C) const { return C * softplus_of_minus(y * z); }

LossSlope Logistic::slope(double y, double z, double C) const {
  const double p = coin(y * z);
  return {-C * y * p, C * p * coin(-y * z)};
}

double Logistic::dual_value(double y, double a, double C) const {
  const double alpha = a * y;
  return -C * (entropy(alpha / C) + entropy((C - alpha) / C));
}

double Logistic::dual_slope(double y, double a, double C) const {
  const double alpha = a * y;
  return y * std::log((C - alpha) / alpha);
}

double Logistic::dual_curvature(double y, double a, double C) const {
  const double alpha = a * y;
  return 1.0 / alpha + 1.0 / (C - alpha);
}

double Logistic::fenchel_young(double y, double z, double a, double C) const {
  const double margin = y * z;
  const double t = a * y / C;
  const double rest = (C - a * y) / C;
  const double p = coin(margin);
  const double other = coin(-margin);
  // p - t from the smaller, and hence more accurate, of the pairs (t, p) and (1 - t, 1 - p).
  const double difference = t < 0.5 ? p - t : rest - other;
  return C * (divergence(t, p, difference, -softplus_of_minus(-margin)) +
              divergence(rest, other, -difference, -softplus_of_minus(margin)));
}

double Logistic::best_bias(ConstSpan y, ConstSpan z, ConstSpan C) const {
  // exp(-certain) is 0: the loss vanishes at a margin this large.
  constexpr double certain = 800.0;
  double positive = 0.0;
  double negative = 0.0;
  double smallest = std::numeric_limits<double>::infinity();
  double largest = -smallest;
  for (std::size_t i = 0; i < y.size(); ++i) {
    (y[i] > 0.0 ? positive : negative) += C[i];
    smallest = std::min(smallest, z[i]);
    largest = std::max(largest, z[i]);
  }
  // If all z were equal, z + b would be log(positive / negative).
  if (negative == 0.0) return certain - smallest;
  if (positive == 0.0) return -certain - largest;
  const double log_odds = std::log(positive / negative);
  return search_bias(*this, y, z, C, {log_odds - largest, log_odds - smallest});
}

}  // namespace kernmix
