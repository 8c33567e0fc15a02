#pragma once
/// \file
/// Multi-class MKL as one problem: all classes are trained at once, and share kernel weights.
///
///   (P)  min_{f, b}  sum_i C_i max_u (1 - [u = y_i] + f_u(x_i) + b_u - f_{y_i}(x_i) - b_{y_i})
///                    + Omega(s),   s_m^2 = sum_u ||f_{m,u}||^2,   f_u = sum_m f_{m,u}
///   (D)  max_A       sum_i A_{i, y_i} - sigma(q / 2),   q_m = tr(A' K_m A)
///        over A of n x K with  sum_u A_iu = 0,  A_iu <= 0 for u != y_i,  A_{i, y_i} <= C_i,
///        and 1'A = 0 where biases are free;   f_{m,u} = d_m K_m A_u
///
/// Zien and Ong, Multiclass multiple kernel learning, ICML 2007, with the hinge of Crammer and
/// Singer, JMLR 2001; here for any convex set of weights (docs/joint.md).

#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/regularizer.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// A problem statement; borrows the bank, which must outlive it.
struct JointProblem {
  const KernelBank& bank;
  Regularizer regularizer;
  std::vector<Index> y;    ///< n classes, 0 .. classes - 1; every class has a sample
  Index classes = 2;       ///< K, at least 2
  Vector C;                ///< n weights of the loss, > 0
  Bias bias = Bias::free;  ///< one for each class, or none

  [[nodiscard]] Index samples() const { return bank.samples(); }
  [[nodiscard]] Index kernels() const { return bank.kernels(); }
};

/// \throws ParameterError for penalised biases
void check_joint_bias(Bias bias);

/// Checks lengths, classes, weights, the rule for the biases and the regularizer.
/// \throws ParameterError or DataError that names the rule
void validate(const JointProblem& problem);

/// sum_i A_{i, y_i}: the first term of (D).
/// \param A  n x K
[[nodiscard]] double joint_gain(const JointProblem& problem, const Matrix& A);

/// A in the set of (D) but for rounding, moved into it; with free biases the sums of its columns
/// vanish.
/// \throws ParameterError when A has another shape or leaves the set by more than 1e-9 C
[[nodiscard]] Matrix feasible_joint_dual(const JointProblem& problem, Matrix A);

/// What a bank takes and gives: a row for each class, K x n. Its own inverse.
[[nodiscard]] Matrix transposed(const Matrix& A);

/// A from its columns, the dual vectors of the classes, and the other way round.
[[nodiscard]] Matrix from_columns(const std::vector<Vector>& columns);
[[nodiscard]] std::vector<Vector> columns_of(const Matrix& A);

}  // namespace kernmix
