#pragma once
/// \file
/// The proof of how good shared weights are. Knows the problem and no solver.
///
/// For any d in D, any a^k in A_k with forms q^k_m = a^k' K_m a^k, and task weights gamma >= 0 that
/// are 1 (sum) or add up to 1 (minimax),
///
///   optimum >= sum_k gamma_k gain_k(a^k) - sigma(1/2 sum_k gamma_k q^k)
///   optimum <= sum_k loss_k(K(d) a^k) + Omega(s),  s_m = d_m sqrt(sum_k q^k_m)           (sum)
///   optimum <= Phi(d) + max_k P_k,  P_k = loss_k(K(d) a^k) + 1/2 d'q^k                   (minimax)
///
/// Bucak, Jin and Jain, NIPS 2010, equation (11), with sigma of any regularizer for half the
/// maximum and the errata of docs/errata.md.

#include <vector>

#include "kernmix/certificate.hpp"
#include "kernmix/shared_problem.hpp"

namespace kernmix {

/// The gap's inner part is sum_k gamma_k times the gap of the SVM of task k at these weights; what
/// better kernel weights, or task weights, would close is its outer part.
struct SharedCertificate : Bounds {
  Vector bias;         ///< of each task, the best one for its function
  Vector task_primal;  ///< P_k, length T
  Vector task_gap;     ///< P_k - [gain_k(a^k) - 1/2 d'q^k], length T: >= 0
};

/// What the certificate computes on its way.
struct SharedPoint {
  SharedCertificate certificate;
  Matrix Z;  ///< T x n: row k is K(d) a^k on all samples
  Matrix Q;  ///< T x M: row k is q^k
};

/// \throws ParameterError when d has another length or, for minimax, leaves its D
void check_shared_weights(const SharedProblem& problem, ConstSpan d);

/// optimum_floor() of a task; of a sum, of all of them.
[[nodiscard]] double least_size_of(const SharedProblem& problem, ConstSpan d);

/// Certifies shared weights: biases are optimal, sums of a^k repaired, dual vectors rescaled by one
/// factor where that raises the bound. All tasks are priced in one pass over the bank.
/// \param a  T dual vectors, each over the rows of its task
/// \param gamma  length T on the unit simplex for minimax; ignored for sum
/// \throws ParameterError when lengths differ, an a^k leaves its box, or for minimax d its D
[[nodiscard]] SharedPoint certify_shared(const SharedProblem& problem, ConstSpan d,
                                         const std::vector<Vector>& a, ConstSpan gamma,
                                         const Context& context);

/// The lower bound that dual vectors and task weights prove by themselves, whatever the kernel
/// weights: certify_shared().dual. One pass over the bank.
[[nodiscard]] double certify_shared_dual(const SharedProblem& problem, const std::vector<Vector>& a,
                                         ConstSpan gamma, const Context& context);

/// certify_shared from feasible dual vectors and products that are known already.
[[nodiscard]] SharedCertificate certify_shared_values(const SharedProblem& problem, ConstSpan d,
                                                      const std::vector<Vector>& a, ConstSpan gamma,
                                                      const Matrix& Z, const Matrix& Q);

/// certify_shared_dual from feasible dual vectors and forms that are known already.
[[nodiscard]] double certify_shared_dual_values(const SharedProblem& problem,
                                                const std::vector<Vector>& a, ConstSpan gamma,
                                                const Matrix& Q);

/// The dual vectors with the sums that their sets hold exactly.
/// \throws ParameterError as certify_shared
[[nodiscard]] std::vector<Vector> feasible_duals(const SharedProblem& problem,
                                                 const std::vector<Vector>& a);

}  // namespace kernmix
