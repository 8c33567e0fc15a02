#include "kernmix/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernmix/error.hpp"
#include "kernmix/loss/feasible.hpp"

namespace kernmix {
namespace {

void require_length(const char* what, ConstSpan v, Index n) {
  if (length(v) == n) return;
  throw ParameterError(fmt::format("{} must have length {}, got {}", what, n, v.size()));
}

void require_in_box(const Problem& problem, const DualBox& box, ConstSpan a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double slack = 1e-9 * problem.C[i];
    if (a[i] >= box.lower[i] - slack && a[i] <= box.upper[i] + slack) continue;
    throw ParameterError(fmt::format("dual variable {} = {} lies outside its box [{}, {}]", i + 1,
                                     a[i], box.lower[i], box.upper[i]));
  }
}

/// The dual objective at t * a, where sigma(t^2 q / 2) is evaluated and not assumed homogeneous.
double dual_objective(const Problem& problem, ConstSpan a, ConstSpan q, double t) {
  double gain = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    gain += std::visit(
        [&](const auto& loss) { return loss.dual_value(problem.y[i], t * a[i], problem.C[i]); },
        problem.loss);
  }
  Vector scaled(q.begin(), q.end());
  for (double& value : scaled) value *= t * t;
  return gain - std::visit([&](const auto& r) { return r.support(scaled); }, problem.regularizer);
}

/// The best rescaling of a dual vector whose gain is linear (methods 1.3.2):
/// t* = min(gain / (2 sigma), largest t that stays in the box).
double best_scale(const DualBox& box, ConstSpan a, double gain, double sigma) {
  double t = sigma > 0.0 ? gain / (2.0 * sigma) : std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > 0.0) t = std::min(t, box.upper[i] / a[i]);
    if (a[i] < 0.0) t = std::min(t, box.lower[i] / a[i]);
  }
  return std::isfinite(t) && t > 0.0 ? t : 1.0;
}

}  // namespace

double Certificate::relative_gap() const {
  const double scale = std::max(std::abs(primal), std::abs(dual));
  return gap / std::max(scale, std::numeric_limits<double>::min());
}

Certificate certify_values(const Problem& problem, ConstSpan d, ConstSpan a, ConstSpan z,
                           ConstSpan q) {
  Certificate result;
  double loss_sum = 0.0;
  double inner = 0.0;
  std::visit(
      [&](const auto& loss) {
        result.bias = loss.best_bias(problem.y, z, problem.C);
        for (std::size_t i = 0; i < a.size(); ++i) {
          const double decision = z[i] + result.bias;
          loss_sum += loss.value(problem.y[i], decision, problem.C[i]);
          inner += loss.fenchel_young(problem.y[i], decision, a[i], problem.C[i]);
        }
      },
      problem.loss);

  Vector norms(q.size());
  for (std::size_t m = 0; m < q.size(); ++m) norms[m] = d[m] * std::sqrt(q[m]);
  const auto& regularizer = problem.regularizer;
  result.primal =
      loss_sum + std::visit([&](const auto& r) { return r.block_norm(norms); }, regularizer);

  const double plain = dual_objective(problem, a, q, 1.0);
  const double sigma = std::visit([&](const auto& r) { return r.support(q); }, regularizer);
  const DualBox box = dual_box(problem.loss, problem.y, problem.C);
  const double scaled = dual_objective(problem, a, q, best_scale(box, a, plain + sigma, sigma));
  result.dual = std::max(plain, scaled);

  result.gap = std::max(result.primal - result.dual, 0.0);
  result.inner_gap = std::clamp(inner, 0.0, result.gap);
  result.outer_gap = result.gap - result.inner_gap;
  return result;
}

CertifiedPoint certify(const Problem& problem, ConstSpan d, ConstSpan a, const Context& context) {
  const Index n = problem.samples();
  const Index M = problem.kernels();
  require_length("the kernel weights d", d, M);
  require_length("the dual vector a", a, n);
  const DualBox box = dual_box(problem.loss, problem.y, problem.C);
  require_in_box(problem, box, a);
  Vector feasible(a.begin(), a.end());
  make_feasible(box.lower, box.upper, feasible);

  CertifiedPoint point;
  point.z.resize(static_cast<std::size_t>(n));
  point.q.resize(static_cast<std::size_t>(M));
  problem.bank.apply(d, feasible, point.z, context);
  problem.bank.quadratic_forms(feasible, point.q, context);
  point.certificate = certify_values(problem, d, feasible, point.z, point.q);
  return point;
}

}  // namespace kernmix
