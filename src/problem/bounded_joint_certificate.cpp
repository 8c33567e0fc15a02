#include <algorithm>
#include <cmath>

#include "kernmix/bounded_certificate.hpp"
#include "loss/crammer_singer.hpp"
#include "problem/bounded_panels.hpp"

namespace kernmix {
namespace {

struct JointLoss {
  double value = 0.0;
  double excess = 0.0;  ///< with decision values within their errors, and by rounding
};

/// The loss at samples x classes Z and how much larger it may be within `error`.
JointLoss joint_loss(const JointProblem& problem, const Matrix& Z, const Matrix& error,
                     const Vector& bias) {
  JointLoss loss;
  Vector f(bias.size());
  Vector worst(bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) {
      f[u] = Z.row(i)[u] + bias[u];
      // z + b, 1 + f_u, f_u - f_y and this sum are rounded
      const double moved = error.row(i)[u] + 4.0 * unit_roundoff * (std::abs(f[u]) + 1.0);
      worst[u] = f[u] + (static_cast<Index>(u) == problem.y[at] ? -moved : moved);
    }
    const double own = crammer_singer_loss(f, problem.y[at], problem.C[at]);
    loss.value += own;
    loss.excess += crammer_singer_loss(worst, problem.y[at], problem.C[at]) - own;
  }
  loss.excess += rounding(Z.rows, loss.value + loss.excess);
  return loss;
}

/// `bound`, (D) at a feasible A for the upper ends of its forms, less what rounding may add.
double rounded_down(const JointProblem& problem, const Matrix& A, double bound) {
  const Index terms = problem.samples() + problem.kernels() + problem.classes;
  return bound - dual_rounding(terms, joint_gain(problem, A), bound);
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
  const Vector q = joint_forms(panels.Q);
  JointCertificate result = certify_joint_values(problem, d, A, Z, q);
  const JointLoss loss = joint_loss(problem, Z, error, result.bias);
  const double inner = result.inner_gap + loss.excess;
  const double before = result.primal - result.dual;
  result.primal += loss.excess + primal_rounding(result.primal - loss.value, d, q, loss.value);
  result.dual = rounded_down(problem, A, result.dual);
  result.slack = result.primal - result.dual - before;
  result.set_gap(inner);
  return result;
}

CertifiedJoint ReferenceKernels::certify_joint(const JointProblem& problem, ConstSpan d,
                                               const Matrix& A, const Matrix& proof,
                                               const Context& context) const {
  check_joint_weights(problem, d);
  const Matrix own = feasible_joint_dual(problem, A);
  const Matrix second = proof.rows == 0 ? proof : feasible_joint_dual(problem, proof);
  const Matrix panel = stacked(transposed(own), transposed(second));
  const Vector none(d.size(), 0.0);
  const std::vector<BankProducts> products =
      this->products(panel_requests(panel, problem.classes, d, none), context);
  const auto of_own = std::span(products).first(static_cast<std::size_t>(problem.classes));
  CertifiedJoint point;
  point.certificate = certify_joint_bounded(problem, d, own, of_own);
  if (second.rows > 0) {
    const Vector q = joint_forms(upper_panels(std::span(products).subspan(of_own.size())).Q);
    const double bound = certify_joint_dual_values(problem, second, q);
    point.certificate.raise_dual(rounded_down(problem, second, bound));
  }
  ProductPanels panels = product_panels(of_own);
  point.Z = transposed(panels.Z);
  point.Q = std::move(panels.Q);
  return point;
}

}  // namespace kernmix
