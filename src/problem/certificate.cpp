#include "kernmix/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/golden_section.hpp"
#include "kernmix/error.hpp"
#include "loss/dual_box.hpp"

namespace kernmix {
namespace {

/// Of the terms that cancel where the optimum is zero.
constexpr double kOptimumFloor = 1e-4;

void require_length(const char* what, ConstSpan v, Index n) {
  if (length(v) == n) return;
  throw ParameterError(fmt::format("{} must have length {}, got {}", what, n, v.size()));
}

/// The dual objective along t * a: gain(t a) - sigma(t^2 q / 2), concave in t.
class DualRay {
 public:
  DualRay(const Problem& problem, ConstSpan a, ConstSpan q)
      : problem_(problem), a_(a), q_(q), scaled_a_(a.size()), scaled_q_(q.size()) {}

  double operator()(double t) {
    for (std::size_t i = 0; i < a_.size(); ++i) scaled_a_[i] = t * a_[i];
    for (std::size_t m = 0; m < q_.size(); ++m) scaled_q_[m] = t * t * q_[m];
    return dual_gain(problem_.loss, problem_.bias, problem_.y(), scaled_a_, problem_.C()) -
           conjugate(problem_.regularizer, scaled_q_);
  }

 private:
  const Problem& problem_;
  ConstSpan a_;
  ConstSpan q_;
  Vector scaled_a_;
  Vector scaled_q_;
};

/// max_t of the dual objective along t * a (docs/problem.md), by golden section on [0, longest]. A
/// regularizer with a bounded dual ball makes it -infinity beyond some t, which the search leaves.
double best_dual(const Problem& problem, const DualSet& set, ConstSpan a, ConstSpan q) {
  DualRay along(problem, a, q);
  const double here = along(1.0);
  if (!may_scale(set)) return here;
  const auto value = [&](double t) { return along(t); };
  return std::max(here, largest_on(0.0, longest_scale(set, a), 1e-9, value).value);
}

/// Omega of f_m = d_m K_m a, the least value of 1/2 sum ||f_m||^2 / d_m + Phi over all weights. On
/// kernels of distances, where f_m has no norm, that would be no bound: there, the value for `d`.
double block_value(const Problem& problem, ConstSpan d, ConstSpan q) {
  if (on_distances(problem.loss)) {
    return 0.5 * std::inner_product(d.begin(), d.end(), q.begin(), 0.0) +
           penalty(problem.regularizer, d);
  }
  Vector norms(q.size());
  for (std::size_t m = 0; m < q.size(); ++m) norms[m] = d[m] * std::sqrt(q[m]);
  return omega(problem.regularizer, norms);
}

}  // namespace

double Bounds::size() const {
  return std::max(
      {std::abs(primal), std::abs(dual), least_size, std::numeric_limits<double>::min()});
}

double Bounds::relative_gap() const { return gap / size(); }

void Bounds::set_gap(double inner) {
  gap = std::max(primal - dual, 0.0);
  inner_gap = std::clamp(inner, 0.0, gap);
  outer_gap = gap - inner_gap;
}

void Bounds::raise_dual(double bound) {
  dual = std::max(dual, bound);
  set_gap(inner_gap);
}

Vector mean_diagonals(const KernelBank& bank) {
  constexpr Index most = 256;
  const Index count = std::min(bank.samples(), most);
  Vector means(static_cast<std::size_t>(bank.kernels()), 0.0);
  for (Index m = 0; m < bank.kernels(); ++m) {
    double& mean = means[static_cast<std::size_t>(m)];
    for (Index k = 0; k < count; ++k) {
      const Index i = k * bank.samples() / count;
      double entry = 0.0;
      bank.block(m, {&i, 1}, {&i, 1}, {&entry, 1});
      mean += std::max(entry, 0.0) / static_cast<double>(count);
    }
  }
  return means;
}

double optimum_floor(const Loss& loss, const KernelBank& bank, ConstSpan diagonals, ConstSpan d) {
  if (!learns_threshold(loss) || on_distances(loss)) return 0.0;
  const Vector own = diagonals.empty() ? mean_diagonals(bank) : Vector();
  const ConstSpan means = diagonals.empty() ? ConstSpan(own) : diagonals;
  return 0.5 * kOptimumFloor * std::inner_product(d.begin(), d.end(), means.begin(), 0.0);
}

Certificate certify_values(const Problem& problem, ConstSpan d, ConstSpan a, ConstSpan z,
                           ConstSpan q) {
  const LossPoint loss = loss_at(problem.loss, problem.bias, problem.y(), z, a, problem.C());
  Certificate result;
  result.bias = loss.bias;
  result.primal = loss.value + block_value(problem, d, q);
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
  result.dual = best_dual(problem, set, a, q);
  result.least_size = optimum_floor(problem.loss, problem.bank, problem.diagonals, d);
  result.set_gap(loss.gap);
  return result;
}

Vector feasible_dual(const Problem& problem, ConstSpan a) {
  require_length("the dual vector a", a, problem.samples());
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
  return feasible_in(set, problem.C(), a);
}

CertifiedPoint certify(const Problem& problem, ConstSpan d, ConstSpan a, const Context& context) {
  require_length("the kernel weights d", d, problem.kernels());
  const Vector feasible = feasible_dual(problem, a);
  CertifiedPoint point;
  point.z = combined_product(problem.bank, d, feasible, context);
  point.q = all_forms(problem.bank, feasible, context);
  point.certificate = certify_values(problem, d, feasible, point.z, point.q);
  return point;
}

double certify_dual_values(const Problem& problem, ConstSpan a, ConstSpan q) {
  const DualSet set = dual_set(problem.loss, problem.bias, problem.y(), problem.C());
  return best_dual(problem, set, a, q);
}

double certify_dual(const Problem& problem, ConstSpan a, const Context& context) {
  const Vector feasible = feasible_dual(problem, a);
  return certify_dual_values(problem, feasible, all_forms(problem.bank, feasible, context));
}

}  // namespace kernmix
