#include "kernmix/bounded_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/rounding.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

/// Residual trace that a family may leave; its square enters the bounds.
constexpr double family_tolerance = 1e-14;

Vector upper(const BankProducts& products) {
  Vector q = products.q;
  for (std::size_t m = 0; m < q.size(); ++m) q[m] = upper_form(q[m], products.q_error[m], 1);
  return q;
}

/// `bound`, (D) at a feasible `a` for the upper ends of its forms, less what rounding may add.
double rounded_down(const Problem& problem, ConstSpan a, double bound) {
  const double gain = gain_size(problem.loss, problem.bias, problem.y(), a, problem.C());
  return bound - dual_rounding(length(a) + problem.kernels(), gain, bound);
}

/// How far a shift of z by at most `error` and rounding of z + b and z + b - y may move the
/// decision value, in numbers that move it at least as far when they are added to it.
double decision_error(double z, double bias, double y, double error) {
  const double decision = z + bias;
  const double moved = error + std::min(std::abs(z), unit_roundoff * std::abs(decision)) +
                       2.0 * unit_roundoff * std::abs(decision - y);
  return moved == 0.0 ? 0.0 : moved + 2.0 * unit_roundoff * std::abs(decision);
}

}  // namespace

double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C, const LossPoint& point,
                   ConstSpan z, ConstSpan z_error) {
  double sum = rounding(length(z), point.size);
  const auto separable = [&]<typename L>(const L& own) {
    if constexpr (IsSeparableLoss<L>) {
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double error = decision_error(z[i], point.bias, y[i], z_error[i]);
        const auto at = [&](double shift) {
          return own.value(y[i], z[i] + point.bias + shift, C[i]);
        };
        const double highest = std::max({at(error), at(-error), at(0.0)});
        sum += highest - at(0.0) + rounding(0, highest);
      }
      return true;
    } else {
      return false;
    }
  };
  if (visit(separable, loss)) return sum;
  const DualSet set = dual_set(loss, rule, y, C);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z_error[i] == 0.0) continue;
    sum += z_error[i] * std::max(std::abs(set.lower[i]), std::abs(set.upper[i]));
  }
  if (!std::isfinite(sum)) {
    throw ParameterError("this loss has no certificate from bounds on its decision values");
  }
  return sum;
}

Certificate certify_bounded(const Problem& problem, ConstSpan d, ConstSpan a,
                            const BankProducts& products) {
  const Vector q = upper(products);
  const LossPoint loss =
      loss_at(problem.loss, problem.bias, problem.y(), products.z, a, problem.C());
  Certificate result = certify_values(problem, d, a, products.z, q);
  const double excess = loss_excess(problem.loss, problem.bias, problem.y(), problem.C(), loss,
                                    products.z, products.z_error);
  const double before = result.primal - result.dual;
  result.primal += excess + primal_rounding(result.primal - loss.value, d, q, loss.size);
  result.dual = rounded_down(problem, a, result.dual);
  result.slack = result.primal - result.dual - before;
  result.set_gap(loss.gap + excess);
  return result;
}

ReferenceKernels::ReferenceKernels(std::vector<KernelSourcePtr> sources, const Context& context,
                                   double most_entries)
    : sources_(std::move(sources)), bank_(exact_bank(sources_)) {
  const auto n = static_cast<double>(bank_->samples());
  if (n * n * static_cast<double>(bank_->kernels()) <= most_entries) return;
  families_ = bounding_families(sources_, family_tolerance, context);
}

std::vector<BankProducts> ReferenceKernels::products(std::span<const ProductRequest> requests,
                                                     const Context& context) const {
  if (!bounded()) return entry_products(sources_, requests, context);
  return bounded_products(sources_, *families_, family_tolerance, requests, context);
}

CertifiedPoint ReferenceKernels::certify(const Problem& problem, ConstSpan d, ConstSpan a,
                                         ConstSpan proof, const Context& context) const {
  const Vector point_a = feasible_dual(problem, a);
  const Vector proof_a = proof.empty() ? Vector() : feasible_dual(problem, proof);
  const Vector none(d.size(), 0.0);
  std::vector<ProductRequest> requests = {{d, point_a}};
  if (!proof.empty()) requests.push_back({none, proof_a});
  std::vector<BankProducts> products = this->products(requests, context);
  CertifiedPoint point;
  point.certificate = certify_bounded(problem, d, point_a, products[0]);
  if (!proof.empty()) {
    const double bound = certify_dual_values(problem, proof_a, upper(products[1]));
    point.certificate.raise_dual(rounded_down(problem, proof_a, bound));
  }
  point.z = std::move(products[0].z);
  point.q = std::move(products[0].q);
  return point;
}

}  // namespace kernmix
