#pragma once
/// \file
/// The inner solver: a box-constrained quadratic program with prescribed sums, by SMO.
///
///   min_a  1/2 a' K a - linear' a + sum_i kink_i |a_i|
///   s.t.   lower <= a <= upper,  the sum of a over each block fixed
///
/// which is the SVM dual in signed variables a = y * alpha. Second-order working sets of Fan, Chen
/// and Lin (JMLR 2005); shrinking by compaction; any feasible warm start. Beyond the problem it
/// needs O(n) memory and, while shrinking, up to half of the memory of K.

#include <functional>

#include "kernmix/context.hpp"
#include "kernmix/loss.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// The quadratic program; all borrowed.
struct BoxProblem {
  Index n = 0;
  std::span<const float> K;      ///< n x n row-major, symmetric, single precision
  ConstSpan linear;              ///< y above (any vector): the linear gain, length n
  ConstSpan lower;               ///< length n
  ConstSpan upper;               ///< length n, lower <= upper
  ConstSpan kink;                ///< length n, >= 0, or empty: all 0
  std::span<const Index> block;  ///< block of each variable, 0 or 1; empty: all 0
};

/// Exact gradient on request: z = K a in double precision. The single precision K is used only
/// between two refreshes, so the optimum reached is that of the exact kernel.
using ExactProduct = std::function<void(ConstSpan a, MutableSpan z)>;

/// The inner duality gap at (a, z = K a) for the user's loss, in objective units or relative to the
/// objective. It is the only stopping criterion and is evaluated a few dozen times, so O(n log n)
/// is cheap.
using InnerGap = std::function<double(ConstSpan a, ConstSpan z)>;

struct SmoOptions {
  double gap_target = 1e-3;        ///< stop when InnerGap <= this
  double gap_reduction = 1.0;      ///< and, below 1, <= this share of InnerGap at the start
  double violation_floor = 1e-12;  ///< KKT violation below which no progress is possible
  Index max_iterations = 0;        ///< 0: 10^7 or 100 n, whichever is larger
  bool shrinking = true;  ///< skip variables that stay at a bound; never changes the optimum
};

struct SmoResult {
  double gap = 0.0;        ///< InnerGap at the returned point, z exact
  double violation = 0.0;  ///< largest KKT violation there
  Index iterations = 0;
  Index refreshes = 0;  ///< number of calls of ExactProduct
  bool converged = false;
};

/// Improves `a` (feasible on entry, length n) in place until the gap target, the violation floor,
/// the iteration limit or `context.should_stop()`. On return `z` = K a, exact.
SmoResult solve_smo(const BoxProblem& problem, const ExactProduct& exact, const InnerGap& gap,
                    const SmoOptions& options, MutableSpan a, MutableSpan z,
                    const Context& context);

// make_feasible() (src/loss/feasible.cpp) turns any vector into a feasible start.

}  // namespace kernmix
