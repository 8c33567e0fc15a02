#pragma once
/// \file
/// Newton's method for inner problems with a smooth gain (squared, logistic):
///
///   min_a 1/2 a' K(d) a - gain(a) with fixed sums, inside an open box. Each step solves
///
///   (K(d) + diag(-gain'')) step + nu 1 = gain' - K(d) a, 1' step = 0 if the bias is free.

#include "base/linear_algebra.hpp"
#include "kernmix/context.hpp"
#include "kernmix/problem.hpp"
#include "kernmix/svm/smo.hpp"
#include "kernmix/types.hpp"
#include "svm/inner_result.hpp"

namespace kernmix {

/// One Cholesky factorisation for each step, in double precision, because for large C the system is
/// too ill-conditioned for single precision. One step is exact for the squared loss. Near the
/// boundary of the box each variable is damped separately (as a step in log a would be), then a
/// line search on the objective determines the step length.
class DualNewton {
 public:
  /// Both must outlive it. The loss must satisfy HasSmoothDual.
  DualNewton(const Problem& problem, const DualSet& set);

  /// Computes K(d), the kernel of the following problems.
  void combine(ConstSpan d, const Context& context);
  /// Whether a step that time did not leave has lost the kernel: the next problem needs combine().
  [[nodiscard]] bool is_lost() const { return K_.size() == 0; }

  /// Improves `a` (feasible on entry) until `gap` is at most `gap_target` or no progress is
  /// possible. On return z = K(d) a by `exact`.
  InnerResult solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                    MutableSpan a, MutableSpan z, const Context& context);

 private:
  /// A dual vector with the results of its evaluation.
  struct Point {
    Vector a;
    Vector product;  ///< K(d) a + constant sum a
    double value;    ///< of the objective
    double gap;
  };
  [[nodiscard]] Point evaluate(Vector a, const InnerGap& gap) const;
  /// \throws ResourceError, and K_ is lost, where time is up during the step
  [[nodiscard]] bool improve(Point& point, const InnerGap& gap, const Context& context);
  /// Solves (K + constant 1 1' + diag(curvature)) x = right for every column of `right`, in place;
  /// false if the matrix is not finite.
  [[nodiscard]] bool solve_system(ConstSpan curvature, std::vector<Vector>& right,
                                  const Context& context);

  const Problem& problem_;
  const DualSet& set_;
  double constant_;  ///< added to every entry of K: 1 for a penalised bias
  RowMatrix K_;      ///< K(d) + constant 1 1'
  Vector diagonal_;  ///< of K(d) + constant 1 1'
};

}  // namespace kernmix
