#include "kernmix/joint_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/golden_section.hpp"
#include "kernmix/error.hpp"
#include "loss/class_biases.hpp"
#include "loss/crammer_singer.hpp"

namespace kernmix {
namespace {

/// The longest t, at most 2, for which t A stays in its set.
double longest_joint_scale(const JointProblem& problem, const Matrix& A) {
  double longest = 2.0;
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double own = A(i, problem.y[at]);
    if (own > 0.0) longest = std::min(longest, problem.C[at] / own);
  }
  return longest;
}

}  // namespace

void check_joint_weights(const JointProblem& problem, ConstSpan d) {
  if (length(d) != problem.kernels()) {
    throw ParameterError(fmt::format("the kernel weights d must have length {}, got {}",
                                     problem.kernels(), d.size()));
  }
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] >= 0.0 && std::isfinite(d[m])) continue;
    throw ParameterError(
        fmt::format("kernel weights must be >= 0 and finite, weight {} is {}", m + 1, d[m]));
  }
}

Vector joint_forms(const Matrix& Q) {
  Vector q(static_cast<std::size_t>(Q.cols), 0.0);
  for (Index u = 0; u < Q.rows; ++u) {
    for (std::size_t m = 0; m < q.size(); ++m) q[m] += Q.row(u)[m];
  }
  return q;
}

double certify_joint_dual_values(const JointProblem& problem, const Matrix& A, ConstSpan q) {
  const double gain = joint_gain(problem, A);
  Vector scaled(q.size());
  const auto value = [&](double t) {
    for (std::size_t m = 0; m < q.size(); ++m) scaled[m] = t * t * q[m];
    return t * gain - conjugate(problem.regularizer, scaled);
  };
  const double longest = longest_joint_scale(problem, A);
  return std::max(value(1.0), largest_on(0.0, longest, 1e-9, value).value);
}

JointCertificate certify_joint_values(const JointProblem& problem, ConstSpan d, const Matrix& A,
                                      const Matrix& Z, ConstSpan q, ConstSpan bias) {
  JointCertificate result;
  result.bias.assign(static_cast<std::size_t>(problem.classes), 0.0);
  if (problem.bias == Bias::free) result.bias = best_class_biases(Z, problem.y, problem.C, bias);
  double loss = 0.0;
  double inner = 0.0;
  Vector f(result.bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = Z.row(i)[u] + result.bias[u];
    loss += crammer_singer_loss(f, problem.y[at], problem.C[at]);
    inner += crammer_singer_gap(f, A.row(i), problem.y[at], problem.C[at]);
  }
  Vector norms(q.size());
  for (std::size_t m = 0; m < q.size(); ++m) norms[m] = d[m] * std::sqrt(q[m]);
  result.primal = loss + omega(problem.regularizer, norms);
  result.dual = certify_joint_dual_values(problem, A, q);
  result.set_gap(inner);
  return result;
}

CertifiedJoint certify_joint(const JointProblem& problem, ConstSpan d, const Matrix& A,
                             const Context& context) {
  check_joint_weights(problem, d);
  const Matrix feasible = feasible_joint_dual(problem, A);
  CertifiedJoint point;
  point.Z = transposed(problem.bank.combined(d)->times(transposed(feasible), context));
  point.Q = all_panel_forms(problem.bank, transposed(feasible), context);
  point.certificate = certify_joint_values(problem, d, feasible, point.Z, joint_forms(point.Q));
  return point;
}

double certify_joint_dual(const JointProblem& problem, const Matrix& A, const Context& context) {
  const Matrix feasible = feasible_joint_dual(problem, A);
  const Matrix Q = all_panel_forms(problem.bank, transposed(feasible), context);
  return certify_joint_dual_values(problem, feasible, joint_forms(Q));
}

}  // namespace kernmix
