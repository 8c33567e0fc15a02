#include <algorithm>

#include "bounded_panels.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "loss/crammer_singer.hpp"

namespace kernmix {
namespace {

/// How much larger the loss may be with decision values within `error`, samples x classes.
double joint_excess(const JointProblem& problem, const Matrix& Z, const Matrix& error,
                    const Vector& bias) {
  double sum = 0.0;
  Vector f(bias.size());
  Vector worst(bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) {
      f[u] = Z.row(i)[u] + bias[u];
      worst[u] = f[u] + (static_cast<Index>(u) == problem.y[at] ? -1.0 : 1.0) * error.row(i)[u];
    }
    sum += crammer_singer_loss(worst, problem.y[at], problem.C[at]) -
           crammer_singer_loss(f, problem.y[at], problem.C[at]);
  }
  return sum;
}

/// Both dual matrices in one pass, which evaluates the kernels once.
CertifiedJoint certify_joint_entries(const JointProblem& problem, ConstSpan d, const Matrix& A,
                                     const Matrix& proof, const Context& context) {
  const Matrix panel = transposed(A);
  const Matrix forms = problem.bank.panel_forms(stacked(panel, transposed(proof)), context);
  CertifiedJoint point;
  point.Z = transposed(problem.bank.panel_product(d, panel, context));
  point.Q = panel_rows(forms, 0, panel.rows);
  point.certificate = certify_joint_values(problem, d, A, point.Z, joint_forms(point.Q));
  if (proof.rows == 0) return point;
  const Vector q = joint_forms(panel_rows(forms, panel.rows, proof.cols));
  point.certificate.raise_dual(certify_joint_dual_values(problem, proof, q));
  return point;
}

}  // namespace

JointCertificate certify_joint_bounded(const JointProblem& problem, ConstSpan d, const Matrix& A,
                                       std::span<const BankProducts> products) {
  const ProductPanels panels = upper_panels(products);
  const Matrix Z = transposed(panels.Z);
  Matrix error(Z.rows, Z.cols);
  for (Index u = 0; u < Z.cols; ++u) {
    const Vector& own = products[static_cast<std::size_t>(u)].z_error;
    for (Index i = 0; i < Z.rows; ++i) error(i, u) = own[static_cast<std::size_t>(i)];
  }
  JointCertificate result = certify_joint_values(problem, d, A, Z, joint_forms(panels.Q));
  const double excess = joint_excess(problem, Z, error, result.bias);
  result.primal += excess;
  result.gap = std::max(result.primal - result.dual, 0.0);
  result.inner_gap = std::min(result.inner_gap + excess, result.gap);
  result.outer_gap = result.gap - result.inner_gap;
  return result;
}

CertifiedJoint ReferenceKernels::certify_joint(const JointProblem& problem, ConstSpan d,
                                               const Matrix& A, const Matrix& proof,
                                               const Context& context) const {
  check_joint_weights(problem, d);
  const Matrix own = feasible_joint_dual(problem, A);
  const Matrix second = proof.rows == 0 ? proof : feasible_joint_dual(problem, proof);
  if (!bounded()) return certify_joint_entries(problem, d, own, second, context);
  const Matrix panel = stacked(transposed(own), transposed(second));
  const Vector none(d.size(), 0.0);
  const std::vector<BankProducts> products =
      this->products(panel_requests(panel, problem.classes, d, none), context);
  const auto of_own = std::span(products).first(static_cast<std::size_t>(problem.classes));
  CertifiedJoint point;
  point.certificate = certify_joint_bounded(problem, d, own, of_own);
  if (second.rows > 0) {
    const Vector q = joint_forms(upper_panels(std::span(products).subspan(of_own.size())).Q);
    point.certificate.raise_dual(certify_joint_dual_values(problem, second, q));
  }
  ProductPanels panels = product_panels(of_own);
  point.Z = transposed(panels.Z);
  point.Q = std::move(panels.Q);
  return point;
}

}  // namespace kernmix
