#pragma once
/// \file
/// Newton's method on the saddle point of mixed norms with q > 2.

#include "regularizer/concepts.hpp"
#include "weights/saddle/saddle_weights.hpp"

namespace kernmix {

/// The method is described in docs/reference/solvers/saddle-newton.md. The function
///
///   V(lambda, h) = max_a gain(a) - 1/2 sum_jk lambda_jk q_jk / h_j^c
///
/// is convex in lambda and concave in h. One step eliminates h on sum dh = 0,
///
///   lambda <- argmin over the simplexes of  V + g'dl + 1/2 dl' (V_ll - V_lh V_hh^{-1} V_hl) dl
///   h      <- h - V_hh^{-1} (V_h + V_hl dl),
///
/// and is accepted if the certificate improves. Otherwise, the method continues a sequence of
/// closed-form steps that started from equal weights. The next Newton step starts from their result
/// once its gap is smaller.
void saddle_newton(const MixedNormSaddle& regularizer, Objective& run);

struct SaddleNewton : TakesSaddleWeights {
  static constexpr const char* name = "saddle-newton";
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    saddle_newton(regularizer, run);
  }
};

}  // namespace kernmix
