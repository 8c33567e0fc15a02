#pragma once
/// \file
/// The proof of how good an answer is. Knows the problem and no solver.

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// Bounds on the optimal value of the original problem: dual <= optimum <= primal.
struct Bounds {
  double primal = 0.0;      ///< objective of (P)
  double dual = 0.0;        ///< objective of (D)
  double gap = 0.0;         ///< primal - dual >= 0
  double inner_gap = 0.0;   ///< the part that a better SVM solution for these weights would close
  double outer_gap = 0.0;   ///< the part that better kernel weights would close
  double least_size = 0.0;  ///< of the objective, for relative gaps: optimum_floor()
  double slack = 0.0;       ///< what errors of products and rounding added to gap

  [[nodiscard]] double size() const;          ///< max(|primal|, |dual|, least_size, tiny)
  [[nodiscard]] double relative_gap() const;  ///< gap / size()
  /// dual <= primal: where rounding is part of the bounds, anything else refutes them.
  [[nodiscard]] bool in_order() const { return dual <= primal; }

  /// Sets the gaps from primal and dual. \param inner  what a better SVM would close, at most all
  void set_gap(double inner);
  /// Takes another proven lower bound where it is the better one.
  void raise_dual(double bound);
};

/// What the size of an objective that may be zero is taken to be at least (docs/problem.md): of a
/// loss with a threshold of its own, on kernels of positive semidefinite matrices,
///
///   kOptimumFloor / 2 sum_m d_m mean_i K_m(i, i),
///
/// and 0 for others. \param diagonals  mean_diagonals(bank), or empty: they are then computed
[[nodiscard]] double optimum_floor(const Loss& loss, const KernelBank& bank, ConstSpan diagonals,
                                   ConstSpan d);

/// The mean diagonal of each kernel, over at most 256 evenly spaced samples.
[[nodiscard]] Vector mean_diagonals(const KernelBank& bank);

/// The bounds that weights and a dual vector give: primal at f_m = d_m K_m a and the best bias,
/// dual at the (repaired, rescaled) dual vector.
struct Certificate : Bounds {
  double bias = 0.0;  ///< the minimiser of (P) over b for these f_m
};

/// What the certificate computes on its way and a solver can use again.
struct CertifiedPoint {
  Certificate certificate;
  Vector z;  ///< K(d) a, length n
  Vector q;  ///< a' K_m a, length M, over all kernels
};

/// Certifies any d in D and any a in the box of the loss (docs/problem.md): the bias is optimal,
/// sum a = 0 is repaired exactly, the dual vector is rescaled where that raises the bound.
/// Cost: one product K(d) a and one pass for q.
/// \throws ParameterError when lengths differ or a leaves its box by more than rounding
[[nodiscard]] CertifiedPoint certify(const Problem& problem, ConstSpan d, ConstSpan a,
                                     const Context& context);

/// The lower bound on the optimal value that a dual vector proves by itself, whatever the weights:
/// (D) at `a`, repaired and rescaled. Cost: one pass for q.
/// \throws ParameterError when the length differs or `a` leaves its box by more than rounding
[[nodiscard]] double certify_dual(const Problem& problem, ConstSpan a, const Context& context);

/// `a` with the sums that its set holds exactly, where it was feasible up to rounding.
/// \throws ParameterError when the length differs or `a` leaves its box by more than rounding
[[nodiscard]] Vector feasible_dual(const Problem& problem, ConstSpan a);

/// certify_dual from a feasible `a` and q that is known already.
[[nodiscard]] double certify_dual_values(const Problem& problem, ConstSpan a, ConstSpan q);

/// certify from z = K(d) a and q that are known already.
[[nodiscard]] Certificate certify_values(const Problem& problem, ConstSpan d, ConstSpan a,
                                         ConstSpan z, ConstSpan q);

}  // namespace kernmix
