#pragma once
/// \file
/// Newton's method for inner problems with a smooth gain (squared, logistic).

#include "kernmix/problem.hpp"
#include "solver/inner/inner_solver.hpp"

namespace kernmix {

/// min_a  1/2 a' K a - gain(a)  on the held sums, inside an open box. Each step solves
///
///   (K + diag(-gain'')) step + nu 1 = gain' - K a,   1' step = 0 where the bias is free,
///
/// by Cholesky factorisation in double precision, and backtracks on the objective; steps end 0.99
/// of the way to the boundary of the box. One step is exact for the squared loss.
/// \param K n x n, single precision; only steers the steps, `exact` gives the gradient
[[nodiscard]] InnerResult dual_newton(const Problem& problem, const DualSet& set,
                                      std::span<const float> K, const ExactProduct& exact,
                                      const InnerGap& gap, double gap_target, MutableSpan a,
                                      MutableSpan z, const Context& context);

}  // namespace kernmix
