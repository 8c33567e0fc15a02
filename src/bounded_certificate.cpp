#include "kernmix/bounded_certificate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernel/bank/family_sketch.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

/// Residual trace that a family may leave; its square enters the bounds.
constexpr double family_tolerance = 1e-14;

Vector upper(const BankProducts& products) {
  Vector q = products.q;
  for (std::size_t m = 0; m < q.size(); ++m) q[m] += products.q_error[m];
  return q;
}

/// Both dual vectors in one pass, which evaluates the kernels once.
CertifiedPoint certify_entries(const Problem& problem, ConstSpan d, ConstSpan a, ConstSpan proof,
                               const Context& context) {
  Matrix panel(proof.empty() ? 1 : 2, problem.samples());
  std::ranges::copy(a, panel.row(0).begin());
  if (!proof.empty()) std::ranges::copy(proof, panel.row(1).begin());
  const Matrix Q = problem.bank.panel_forms(panel, context);
  CertifiedPoint point;
  point.z.resize(a.size());
  problem.bank.apply(d, a, point.z, context);
  point.q.assign(Q.row(0).begin(), Q.row(0).end());
  point.certificate = certify_values(problem, d, a, point.z, point.q);
  if (!proof.empty()) {
    point.certificate.raise_dual(certify_dual_values(problem, proof, Q.row(1)));
  }
  return point;
}

}  // namespace

double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C, double bias, ConstSpan z,
                   ConstSpan z_error) {
  double sum = 0.0;
  const auto separable = [&]<typename L>(const L& own) {
    if constexpr (IsSeparableLoss<L>) {
      for (std::size_t i = 0; i < z.size(); ++i) {
        const auto at = [&](double shift) { return own.value(y[i], z[i] + bias + shift, C[i]); };
        sum += std::max({at(z_error[i]) - at(0.0), at(-z_error[i]) - at(0.0), 0.0});
      }
      return true;
    } else {
      return false;
    }
  };
  if (std::visit(separable, loss)) return sum;
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
  Certificate result = certify_values(problem, d, a, products.z, upper(products));
  const double excess = loss_excess(problem.loss, problem.bias, problem.y, problem.C, result.bias,
                                    products.z, products.z_error);
  result.primal += excess;
  result.gap = std::max(result.primal - result.dual, 0.0);
  result.inner_gap = std::min(result.inner_gap + excess, result.gap);
  result.outer_gap = result.gap - result.inner_gap;
  return result;
}

ReferenceKernels::ReferenceKernels(std::vector<KernelSourcePtr> sources, const Context& context,
                                   double most_entries)
    : sources_(std::move(sources)), bank_(exact_bank(sources_)) {
  const auto n = static_cast<double>(bank_->samples());
  if (n * n * static_cast<double>(bank_->kernels()) <= most_entries) return;
  BankOptions options;
  options.factor_tolerance = family_tolerance;
  FamilySketches outlines;
  const MemoryPlan plan = plan_bank(sources_, options, context);
  for (const FamilySketch& sketch : plan.families->families) {
    outlines.families.push_back(outline(sketch));
  }
  families_ = std::make_shared<const FamilySketches>(std::move(outlines));
}

std::vector<BankProducts> ReferenceKernels::products(std::span<const ProductRequest> requests,
                                                     const Context& context) const {
  return bounded_products(sources_, *families_, family_tolerance, requests, context);
}

CertifiedPoint ReferenceKernels::certify(const Problem& problem, ConstSpan d, ConstSpan a,
                                         ConstSpan proof, const Context& context) const {
  const Vector point_a = feasible_dual(problem, a);
  const Vector proof_a = proof.empty() ? Vector() : feasible_dual(problem, proof);
  if (!bounded()) {
    return certify_entries(problem, d, point_a, proof_a, context);
  }
  const Vector none(d.size(), 0.0);
  std::vector<ProductRequest> requests = {{d, point_a}};
  if (!proof.empty()) requests.push_back({none, proof_a});
  std::vector<BankProducts> products = this->products(requests, context);
  CertifiedPoint point;
  point.certificate = certify_bounded(problem, d, point_a, products[0]);
  if (!proof.empty()) {
    point.certificate.raise_dual(certify_dual_values(problem, proof_a, upper(products[1])));
  }
  point.z = std::move(products[0].z);
  point.q = std::move(products[0].q);
  return point;
}

}  // namespace kernmix
