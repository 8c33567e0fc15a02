#pragma once
/// \file
/// The inner problem on a factor of the kernel, K(d) = Z Z' with Z n x r, never forming n x n:
///
///   min_{w, b}  1/2 |w|^2 + sum_i l_i(z_i'w + b_c(i)) + sum_c b_c total_c,
///
/// by the proximal point method in a (the method of multipliers, Rockafellar 1976). Each of its
/// problems has the smooth gradient w - Z'a(w), a(w) the responses of DualResponse, and is solved
/// by semismooth Newton steps, which involve only samples strictly inside their boxes (Li, Sun and
/// Toh 2018; Niu et al. 2019 for SVMs). docs/reference/solvers/semismooth-newton.md

#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/svm/smo.hpp"
#include "kernmix/types.hpp"
#include "svm/inner_result.hpp"
#include "svm/newton/dual_response.hpp"
#include "svm/newton/weighted_columns.hpp"

namespace kernmix {

/// For all losses and bias rules, if the bank has a factor of K(d).
class SemismoothNewton {
 public:
  /// Both must outlive it.
  SemismoothNewton(const Problem& problem, const DualSet& set);

  /// Computes the factor of K(d), the kernel of the following problems.
  void combine(ConstSpan d, const Context& context);

  /// Z of that kernel, with an additional column of ones for a penalised bias.
  [[nodiscard]] const WeightedColumns& factor() const { return Z_; }

  /// Improves `a` (feasible on entry) until `gap` is at most `gap_target` or no progress is
  /// possible. On return bounds and fixed sums hold exactly, and z = K(d) a by `exact`; the optimum
  /// is that of `exact`, even if Z is approximate.
  InnerResult solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                    MutableSpan a, MutableSpan z, const Context& context);

 private:
  const Problem& problem_;
  const DualSet& set_;
  DualResponse response_;
  WeightedColumns Z_;
  bool warm_ = false;  ///< a comes from an earlier solution
};

}  // namespace kernmix
