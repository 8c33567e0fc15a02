#include "regularizer/penalties/elastic_net.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/weight_set.hpp"

namespace kernmix {

/// Without the squared term it is the unsquared norm.
Regularizer ElasticNet::parse(const std::string& text) {
  const Arguments arguments(text, {"l1", "l2"}, info().example);
  const double l1 = arguments.positive("l1");
  if (arguments.number("l2") == 0.0) return L1Unsquared{l1};
  return ElasticNet{l1, arguments.positive("l2")};
}

Vector ElasticNet::initial_weights(Index M) const {
  const double weight = std::min(0.5 / l2, 1.0 / static_cast<double>(M));
  return Vector(static_cast<std::size_t>(M), weight);
}

double ElasticNet::omega(ConstSpan s) const {
  double sum = 0.0;
  for (const double norm : s) sum += l1 * norm + 0.5 * l2 * norm * norm;
  return sum;
}

double ElasticNet::conjugate(ConstSpan q) const {
  double sum = 0.0;
  for (const double square : q) {
    const double excess = std::max(std::sqrt(square) - l1, 0.0);
    sum += excess * excess / (2.0 * l2);
  }
  return sum;
}

double ElasticNet::penalty(ConstSpan d) const {
  if (largest(d) * l2 >= 1.0) return std::numeric_limits<double>::infinity();
  return penalty_on(weight_set(length(d)), d);
}

void ElasticNet::best_weights(ConstSpan s, MutableSpan d) const {
  for (std::size_t m = 0; m < d.size(); ++m) {
    d[m] = std::min(s[m] / (l1 + l2 * s[m]), largest_weight());
  }
}

void ElasticNet::maximizing_weights(ConstSpan q, MutableSpan d) const {
  for (std::size_t m = 0; m < d.size(); ++m) {
    const double root = std::sqrt(q[m]);
    d[m] = root > l1 ? std::min((1.0 - l1 / root) / l2, largest_weight()) : 0.0;
  }
}

ConjugateCurvature ElasticNet::conjugate_curvature(ConstSpan q, ConstSpan) const {
  ConjugateCurvature curvature{Vector(q.size(), 0.0), 0.0};
  for (std::size_t m = 0; m < q.size(); ++m) {
    const double root = std::sqrt(q[m]);
    if (root > l1) curvature.diagonal[m] = l1 / (4.0 * l2 * root * q[m]);
  }
  return curvature;
}

WeightSet ElasticNet::weight_set(Index) const {
  WeightSet set;
  set.penalty = [l1 = l1, l2 = l2](const Eigen::ArrayXd& x) {
    const Eigen::ArrayXd room = 1.0 - l2 * x;
    const Eigen::ArrayXd slope = 0.5 * (l1 / room).square();
    return Jet{(slope * x * room).sum(), slope, 2.0 * l2 * slope / room, 0.0, {}};
  };
  set.upper = largest_weight();
  return set;
}

}  // namespace kernmix
