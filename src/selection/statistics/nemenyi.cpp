// P(range <= q) = k int phi(z) (Phi(z) - Phi(z - q))^(k-1) dz, z the largest of k normal variables.

#include <fmt/format.h>

#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "kernmix/error.hpp"
#include "kernmix/selection/statistics.hpp"
#include "selection/statistics/check.hpp"

namespace kernmix {
namespace {

/// Phi(z) - Phi(z - q) without cancellation in the upper tail.
double normal_between(double z, double q) {
  const double root = std::numbers::sqrt2;
  if (z - q > 0.0) return 0.5 * (std::erfc((z - q) / root) - std::erfc(z / root));
  return 0.5 * (std::erfc(-z / root) - std::erfc((q - z) / root));
}

/// The standard error of a difference of average ranks times sqrt 2: the scale of the studentized
/// range.
double rank_scale(Index methods, Index data_sets) {
  if (methods < 2 || data_sets < 1) {
    throw ParameterError(
        fmt::format("critical_difference: {} methods on {} data sets; it needs at least two "
                    "methods and one data set",
                    methods, data_sets));
  }
  const double k = static_cast<double>(methods);
  return std::sqrt(k * (k + 1.0) / (12.0 * static_cast<double>(data_sets)));
}

}  // namespace

double range_probability(double q, Index k) {
  if (!(q >= 0.0) || k < 2) {
    throw ParameterError(fmt::format(
        "range_probability: q = {} and k = {}; q is at least 0 and k at least 2", q, k));
  }
  // The trapezoidal rule converges exponentially for such integrands (Trefethen and Weideman 2014).
  constexpr double step = 1.0 / 16.0;
  constexpr int reach = 160;  // phi(10) < 1e-22
  double sum = 0.0;
  for (int i = -reach; i <= reach; ++i) {
    const double z = step * i;
    sum += std::exp(-0.5 * z * z) * std::pow(normal_between(z, q), static_cast<double>(k - 1));
  }
  const double value = static_cast<double>(k) * step * sum / std::sqrt(2.0 * std::numbers::pi);
  return std::min(value, 1.0);
}

double range_quantile(double probability, Index k) {
  check_level(probability, "range_quantile");
  const auto excess = [&](double q) { return range_probability(q, k) - probability; };
  double high = 1.0;
  while (excess(high) < 0.0 && high < 64.0) high *= 2.0;
  std::uintmax_t iterations = 100;
  const auto bracket = boost::math::tools::toms748_solve(
      excess, 0.0, high, boost::math::tools::eps_tolerance<double>(40), iterations);
  return 0.5 * (bracket.first + bracket.second);
}

double critical_difference(Index methods, Index data_sets, double level) {
  check_level(level, "critical_difference");
  return rank_scale(methods, data_sets) * range_quantile(1.0 - level, methods);
}

double nemenyi_p(double rank_difference, Index methods, Index data_sets) {
  const double q = std::abs(rank_difference) / rank_scale(methods, data_sets);
  return std::max(0.0, 1.0 - range_probability(q, methods));
}

}  // namespace kernmix
