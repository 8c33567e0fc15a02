#pragma once
/// \file
/// Certificates: proven bounds on the optimum. They depend on the problem and not on a solver.
///
/// For any d in D, any a^k in A_k with forms q^k_m = a^k' K_m a^k, and task weights gamma >= 0 that
/// are 1 (sum) or add up to 1 (minimax),
///
///   optimum >= sum_k gamma_k gain_k(a^k) - sigma(1/2 sum_k gamma_k q^k)
///   optimum <= sum_k loss_k(K(d) a^k) + Omega(s),  s_m = d_m sqrt(sum_k q^k_m)           (sum)
///   optimum <= Phi(d) + max_k P_k,  P_k = loss_k(K(d) a^k) + 1/2 d'q^k                   (minimax)
///
/// One task is a sum; the bounds of separate tasks are the sums of those of each. Bucak, Jin and
/// Jain, NIPS 2010, equation (11), with sigma of any regularizer for half the maximum and the
/// errata of docs/explanation/errata.md. Several decision functions of a sample have sums of their
/// forms.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Bounds on the optimal value of the original problem: dual <= optimum <= primal.
struct Bounds {
  double primal = 0.0;      ///< objective of (P)
  double dual = 0.0;        ///< objective of (D)
  double gap = 0.0;         ///< primal - dual >= 0
  double inner_gap = 0.0;   ///< part of the gap due to the SVM solution at these weights
  double outer_gap = 0.0;   ///< part of the gap due to the kernel weights
  double least_size = 0.0;  ///< of the objective, for relative gaps: optimum_floor()
  double slack = 0.0;       ///< part of the gap due to errors of products and rounding

  [[nodiscard]] double size() const;          ///< max(|primal|, |dual|, least_size, tiny)
  [[nodiscard]] double relative_gap() const;  ///< gap / size()
  /// dual <= primal. Otherwise the bounds, which include rounding, are refuted.
  [[nodiscard]] bool in_order() const { return dual <= primal; }

  /// Sets the gaps from primal and dual. \param inner  inner gap, clipped to the gap
  void set_gap(double inner);
  /// Adds the bounds of another problem, for the sum of both problems.
  void add(const Bounds& other);
  /// Replaces the lower bound by a better proven one.
  void raise_dual(double bound);
};

/// Least size of an objective that may be zero
/// (docs/explanation/problem.md): for a loss that learns a threshold, on positive semidefinite
/// kernels,
///
///   kOptimumFloor / 2 sum_m d_m mean_i K_m(i, i),
///
/// and 0 for other losses. \param diagonals  mean_diagonals(bank), or empty to compute them
[[nodiscard]] double optimum_floor(const Loss& loss, const KernelBank& bank, ConstSpan diagonals,
                                   ConstSpan d);

/// The mean diagonal of each kernel, over at most 256 evenly spaced samples.
[[nodiscard]] Vector mean_diagonals(const KernelBank& bank);

/// The bounds from weights and dual vectors: primal at f_m = d_m K_m a and the optimal biases,
/// dual at the (repaired, rescaled) dual vectors. The inner part of the gap is sum_k gamma_k times
/// the gap of the SVM of task k at these weights; the outer part is due to kernel weights and task
/// weights.
struct Certificate : Bounds {
  std::vector<Vector> bias;  ///< for each task and each of its functions, the minimisers of (P)
  Vector task_primal;        ///< P_k, length T
  Vector task_gap;           ///< P_k - [gain_k(a^k) - 1/2 d'q^k], length T: >= 0

  [[nodiscard]] double only_bias() const {
    return bias.front().front();
  }  ///< for a single function
};

/// A certificate with the products that it computed, one row for each decision
/// function of each task.
struct CertifiedPoint {
  Certificate certificate;
  Matrix Z;  ///< K(d) a on all samples
  Matrix Q;  ///< a' K_m a over all kernels
};

/// One vector for each task.
using TaskSpans = std::vector<ConstSpan>;
[[nodiscard]] TaskSpans spans_of(const std::vector<Vector>& vectors);

/// \param d  length M, for separate tasks T M (Problem)
/// \throws ParameterError when d has another length, a weight is negative or, for minimax and for
///         losses of distances, d leaves D
void check_weights(const Problem& problem, ConstSpan d);

/// optimum_floor() of a task, or of all tasks of a sum.
[[nodiscard]] double least_size_of(const Problem& problem, ConstSpan d);

/// Certifies any d that check_weights() takes and any a in the sets of the tasks
/// (docs/explanation/problem.md): biases
/// are optimal, sums of a are repaired exactly, and dual vectors are rescaled by one factor if that
/// raises the bound. Cost: one product with K(d) and one pass for q. \param a  T dual vectors, each
/// over the rows of its task \param gamma  length T on the unit simplex for minimax; ignored
/// otherwise \throws ParameterError when lengths differ or something leaves its set by more than
/// rounding
[[nodiscard]] CertifiedPoint certify(const Problem& problem, ConstSpan d,
                                     const std::vector<Vector>& a, const Context& context,
                                     ConstSpan gamma = {});

/// The lower bound on the optimal value from dual vectors and task weights, for any kernel weights:
/// certify().dual. Cost: one pass for q.
/// \throws ParameterError as certify
[[nodiscard]] double certify_dual(const Problem& problem, const std::vector<Vector>& a,
                                  const Context& context, ConstSpan gamma = {});

/// The dual vectors, feasible up to rounding, with the sums of their sets made exact. \throws
/// ParameterError as certify
[[nodiscard]] std::vector<Vector> feasible_duals(const Problem& problem,
                                                 const std::vector<Vector>& a);

/// certify from feasible dual vectors and known products. \param q  for each task
[[nodiscard]] Certificate certify_values(const Problem& problem, ConstSpan d, const TaskSpans& a,
                                         const TaskSpans& z, const TaskSpans& q,
                                         ConstSpan gamma = {});

/// certify_dual from feasible dual vectors and known forms.
[[nodiscard]] double certify_dual_values(const Problem& problem, const TaskSpans& a,
                                         const TaskSpans& q, ConstSpan gamma = {});

}  // namespace kernmix
