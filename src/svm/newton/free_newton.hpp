#pragma once
/// \file
/// Newton's method on the free variables of a BoxProblem: what gets SMO out of a crawl.

#include "kernmix/svm/smo.hpp"

namespace kernmix::smo {

/// Pairs of variables crawl where the kernel has small eigenvalues and few variables rest at a
/// bound (large C, narrow tubes): the error along an eigenvector falls by its eigenvalue's share a
/// sweep. One step solves for all free variables F at once,
///
///   [ K_FF  E ] [ step ]   [ -gradient_F ]
///   [ E'    0 ] [  mu  ] = [      0      ],     E: the blocks whose sums are held,
///
/// and goes along it to the minimum on that line, across kinks, or to the first bound. A variable
/// that stops at a bound or kink stays there, one more equation, while the others go on.
/// \param a         length n, feasible; moved
/// \param gradient  K a - linear of all n variables, without kinks; kept up to date
/// \returns false where nothing moved: too few or too many free variables, or no descent left
bool free_newton(const BoxProblem& problem, MutableSpan a, MutableSpan gradient,
                 const Context& context);

}  // namespace kernmix::smo
