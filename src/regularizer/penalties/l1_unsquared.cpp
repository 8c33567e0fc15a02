#include "regularizer/penalties/l1_unsquared.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norm_prox.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/model_minimizer.hpp"

namespace kernmix {

std::vector<RegularizerInfo> L1Unsquared::rows() {
  return {{"l1-unsquared:lambda=L", "d >= 0", "L sum s", "l1-unsquared:lambda=1"}};
}

Regularizer L1Unsquared::parse(const std::string& text) {
  return L1Unsquared{Arguments(text, {"lambda"}).positive("lambda")};
}

std::string L1Unsquared::text() const { return fmt::format("l1-unsquared:lambda={}", lambda); }

void L1Unsquared::check(Index M) const { require_kernels(M); }

Vector L1Unsquared::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), 1.0 / static_cast<double>(M));
}

double L1Unsquared::omega(ConstSpan s) const {
  return lambda * std::accumulate(s.begin(), s.end(), 0.0);
}

double L1Unsquared::conjugate(ConstSpan q) const {
  constexpr double kRounding = 1e-12;
  const bool inside = std::sqrt(largest(q)) <= lambda * (1.0 + kRounding);
  return inside ? 0.0 : std::numeric_limits<double>::infinity();
}

double L1Unsquared::penalty(ConstSpan d) const {
  return 0.5 * lambda * lambda * std::accumulate(d.begin(), d.end(), 0.0);
}

void L1Unsquared::add_penalty_slope(ConstSpan, MutableSpan slope) const {
  for (double& value : slope) value += 0.5 * lambda * lambda;
}

void L1Unsquared::best_weights(ConstSpan s, MutableSpan d) const {
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = s[m] / lambda;
}

void L1Unsquared::project(MutableSpan x) const { clip(x, 0.0); }

Vector L1Unsquared::minimize_quadratic(const WeightModel& model) const {
  WeightSet set;
  set.penalty = linear_function(0.5 * lambda * lambda);
  set.trust = 10.0;
  return minimize_on(model, set);
}

void L1Unsquared::prox(double gamma, ConstSpan x, MutableSpan s) const {
  net_prox(gamma, lambda, 0.0, x, s);
}

ProxSlope L1Unsquared::prox_slope(double gamma, ConstSpan s) const {
  return net_prox_slope(gamma, 0.0, s);
}

}  // namespace kernmix
