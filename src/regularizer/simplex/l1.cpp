#include "regularizer/simplex/l1.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/arguments.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norm_prox.hpp"
#include "regularizer/norms.hpp"
#include "regularizer/subproblem/model_minimizer.hpp"

namespace kernmix {

std::vector<RegularizerInfo> L1::rows() {
  return {{"l1", "d >= 0, sum d = 1", "1/2 (sum s)^2", "l1"}};
}

Regularizer L1::parse(const std::string& text) {
  expect_no_arguments(text);
  return L1{};
}

void L1::check(Index M) const { require_kernels(M); }

Vector L1::initial_weights(Index M) const {
  return Vector(static_cast<std::size_t>(M), 1.0 / static_cast<double>(M));
}

double L1::omega(ConstSpan s) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  return 0.5 * sum * sum;
}

double L1::conjugate(ConstSpan q) const { return 0.5 * largest(q); }

void L1::best_weights(ConstSpan s, MutableSpan d) const {
  const double sum = std::accumulate(s.begin(), s.end(), 0.0);
  const double uniform = 1.0 / static_cast<double>(d.size());
  for (std::size_t m = 0; m < d.size(); ++m) d[m] = sum > 0.0 ? s[m] / sum : uniform;
}

void L1::project(MutableSpan x) const {
  // x_m = max(z_m - tau, 0): tau is fixed by the largest k entries that stay positive.
  Vector sorted(x.begin(), x.end());
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0.0;
  double tau = 0.0;
  for (std::size_t k = 0; k < sorted.size(); ++k) {
    sum += sorted[k];
    const double candidate = (sum - 1.0) / static_cast<double>(k + 1);
    if (candidate >= sorted[k]) break;
    tau = candidate;
  }
  for (double& value : x) value = std::max(value - tau, 0.0);
}

Vector L1::minimize_quadratic(const WeightModel& model) const {
  WeightSet set;
  set.constraint = linear_function(1.0);
  set.tight = true;
  return minimize_on(model, set);
}

void L1::prox(double gamma, ConstSpan x, MutableSpan s) const {
  squared_sum_prox(gamma, 0.0, x, s);
}

ProxSlope L1::prox_slope(double gamma, ConstSpan s) const {
  return squared_sum_prox_slope(gamma, 0.0, s);
}

}  // namespace kernmix
