#include "regularizer/balls/elastic_net_bach.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "base/arguments.hpp"
#include "base/roots/root.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {
namespace {

/// sum x / (1 - lambda x); infinite if an entry is outside the domain.
double elastic_sum(ConstSpan x, double lambda) {
  double sum = 0.0;
  for (const double value : x) {
    if (lambda * value >= 1.0) return std::numeric_limits<double>::infinity();
    sum += value / (1.0 - lambda * value);
  }
  return sum;
}

/// The x in [0, 1/lambda) with x + mu / (1 - lambda x)^2 = z; 0 for z <= mu.
double elastic_shrink(double z, double mu, double lambda) {
  if (z <= mu) return 0.0;
  const double start = std::min(z, (1.0 - std::sqrt(mu / z)) / lambda);
  return root_from_above(start, [&](double x) {
    const double room = 1.0 - lambda * x;
    const double pull = mu / (room * room);
    return std::pair(x + pull - z, 1.0 + 2.0 * lambda * pull / room);
  });
}

}  // namespace

Regularizer ElasticNetBach::parse(const std::string& text) {
  const Arguments arguments(text, {"lambda"}, info().example);
  if (arguments.number("lambda") == 0.0) return L1{};
  return ElasticNetBach{arguments.positive("lambda")};
}

Vector ElasticNetBach::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), 1.0 / (static_cast<double>(M) + lambda));
}

double ElasticNetBach::omega(ConstSpan s) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  return 0.5 * sum * sum + 0.5 * lambda * sum_of_squares(s);
}

double ElasticNetBach::conjugate(ConstSpan q) const {
  Vector norms(q.size());
  std::ranges::transform(q, norms.begin(), [](double square) { return std::sqrt(square); });
  std::ranges::sort(norms, std::greater<>());
  double sum = 0.0;
  double g = 0.0;
  for (std::size_t k = 0; k < norms.size() && norms[k] > g; ++k) {
    sum += norms[k];
    g = sum / (lambda + static_cast<double>(k + 1));
  }
  double value = 0.5 * g * g;
  for (const double norm : norms) {
    const double excess = std::max(norm - g, 0.0);
    value += excess * excess / (2.0 * lambda);
  }
  return value;
}

void ElasticNetBach::best_weights(ConstSpan s, MutableSpan d) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  if (sum == 0.0) {
    std::ranges::copy(initial_weights(length(d)), d.begin());
    return;
  }
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = s[m] / (sum + lambda * s[m]);
}

void ElasticNetBach::project(MutableSpan x) const {
  const auto shrink = [&](double mu, ConstSpan z, MutableSpan to) {
    for (std::size_t m = 0; m < z.size(); ++m) to[m] = elastic_shrink(z[m], mu, lambda);
  };
  const auto excess = [&](ConstSpan at) { return elastic_sum(at, lambda) - 1.0; };
  project_by_multiplier(x, shrink, excess, largest);
}

WeightSet ElasticNetBach::weight_set(Index) const {
  WeightSet set;
  set.constraint = [lambda = lambda](const Eigen::ArrayXd& x) {
    const Eigen::ArrayXd room = 1.0 - lambda * x;
    const Eigen::ArrayXd slope = room.square().inverse();
    return Jet{(x / room).sum(), slope, 2.0 * lambda * slope / room, 0.0, {}};
  };
  set.upper = 1.0 / lambda;  // the end of the domain, which the constraint excludes
  return set;
}

}  // namespace kernmix
