#pragma once
/// \file
/// Proximal Newton in the kernel weights, with cutting planes as its safeguard.

#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// HessianMKL (Chapelle and Rakotomamonjy 2008) for any convex set of weights.
///
///   x <- argmin_{x in D} -1/2 q'(x - d) + 1/2 (x - d)' H (x - d),   d <- d + t (x - d)
///
/// Starts with closed-form steps, which are monotone from anywhere, unless they would keep all
/// kernels where few are wanted and each is dense: the first Newton step finds those. Where the
/// second order model is good for a small region only (few free samples), steps on weights and dual
/// vector at once take over where they fit, else steps to the minimiser of all cutting planes for a
/// while.
///
/// \param regularizer one that Newton takes, that of the run's problem
void newton(const Regularizer& regularizer, WeightObjective& run);

struct Newton {
  static constexpr const char* name = "newton";
  static constexpr const char* needs = "closed-form weights and a minimiser of its quadratic model";
  template <typename R>
  static constexpr bool takes = HasBestWeights<R>&& HasModelMinimizer<R>;
  template <typename R>
  static void run(const R& /*regularizer*/, Objective& run) {
    newton(run.problem().regularizer, run);
  }
};

}  // namespace kernmix
