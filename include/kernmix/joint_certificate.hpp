#pragma once
/// \file
/// The proof of how good the answer to a JointProblem is. Knows the problem and no solver.
///
/// For any d >= 0, any A of the set of (D) with q_m = tr(A' K_m A), Z = K(d) A, and any biases b,
///
///   optimum >= sum_i A_{i, y_i} - sigma(q / 2)
///   optimum <= sum_i C_i max_u (1 - [u = y_i] + Z_iu + b_u - Z_{i, y_i} - b_{y_i}) + Omega(s),
///              s_m = d_m sqrt(q_m)

#include "kernmix/certificate.hpp"
#include "kernmix/joint_problem.hpp"

namespace kernmix {

/// The gap's inner part is what a better SVM of all classes at these weights would close, its outer
/// part what better kernel weights would.
struct JointCertificate : Bounds {
  Vector bias;  ///< of each class, of the least loss for these functions, with sum 0; length K
};

/// What the certificate computes on its way.
struct CertifiedJoint {
  JointCertificate certificate;
  Matrix Z;  ///< n x K: K(d) A
  Matrix Q;  ///< K x M: A_u' K_m A_u of each class; their sums over the classes are q
};

/// \throws ParameterError when d has another length or a weight that is negative
void check_joint_weights(const JointProblem& problem, ConstSpan d);

/// The sums of the columns of Q: q_m = tr(A' K_m A), length M.
[[nodiscard]] Vector joint_forms(const Matrix& Q);

/// Certifies any d >= 0 and A (n x K): biases are optimal, the sums of A repaired, A rescaled where
/// that raises the bound. One product of K(d) with A and one pass over the bank.
/// \throws ParameterError when sizes differ, a weight is negative or A leaves its set
[[nodiscard]] CertifiedJoint certify_joint(const JointProblem& problem, ConstSpan d,
                                           const Matrix& A, const Context& context);

/// The lower bound that A proves by itself, whatever the kernel weights. One pass over the bank.
[[nodiscard]] double certify_joint_dual(const JointProblem& problem, const Matrix& A,
                                        const Context& context);

/// certify_joint from a feasible A and products that are known already.
/// \param bias  where the search for the best biases starts; empty: at zero
[[nodiscard]] JointCertificate certify_joint_values(const JointProblem& problem, ConstSpan d,
                                                    const Matrix& A, const Matrix& Z, ConstSpan q,
                                                    ConstSpan bias = {});

/// certify_joint_dual from a feasible A and forms that are known already.
[[nodiscard]] double certify_joint_dual_values(const JointProblem& problem, const Matrix& A,
                                               ConstSpan q);

}  // namespace kernmix
