#pragma once
/// \file
/// Proximal Newton in the kernel weights, combined with other strategies where they are cheaper.

#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// HessianMKL (Chapelle and Rakotomamonjy 2008) for any convex set of weights.
///
///   x <- argmin_{x in D} -1/2 q'(x - d) + 1/2 (x - d)' H (x - d) + Phi(x),   d <- d + t (x - d)
///
/// Strategies (weights/strategies) choose the first weights, replace Newton steps where they are
/// cheaper, and refine the model.
///
/// \param regularizer  the regularizer of J, which must be one that Newton supports
void newton(const Regularizer& regularizer, Objective& J);

struct Newton {
  static constexpr bool joins_classes = true;
  static constexpr const char* name = "newton";
  static constexpr const char* needs = "closed-form weights and a minimiser of its quadratic model";
  static constexpr bool couples(Coupling coupling) { return coupling != Coupling::minimax; }
  template <typename R>
  static constexpr bool takes = HasBestWeights<R>&& HasModelMinimizer<R>;
  template <typename R>
  static void run(const R& /*regularizer*/, Objective& J) {
    newton(J.problem().regularizer, J);
  }
};

}  // namespace kernmix
