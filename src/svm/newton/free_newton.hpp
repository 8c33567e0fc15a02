#pragma once
/// \file
/// Newton's method on the free variables of a BoxProblem: it accelerates SMO when it converges
/// slowly.

#include "kernmix/svm/smo.hpp"

namespace kernmix::smo {

/// SMO converges slowly if the kernel has small eigenvalues and few variables are at a bound (large
/// C, narrow tubes): in each sweep the error along an eigenvector decreases in proportion to its
/// eigenvalue. One step solves for all free variables F at once,
///
///   [ K_FF  E ] [ step ]   [ -gradient_F ]
///   [ E' 0 ] [ mu ] = [ 0 ], E: the blocks with fixed sums, and moves along it to the minimum on
/// that line, across kinks, or to the first bound. A variable that stops at a bound or kink stays
/// there, as an additional equation, while the others move on.
/// \param a         length n, feasible; moved
/// \param gradient  K a - linear of all n variables, without kinks; kept up to date
/// \returns false without a move: too few or too many free variables, or no descent
bool free_newton(const BoxProblem& problem, MutableSpan a, MutableSpan gradient,
                 const Context& context);

}  // namespace kernmix::smo
