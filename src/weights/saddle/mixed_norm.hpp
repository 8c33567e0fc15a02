#pragma once
/// \file
/// First order algorithms for mixed norms with q > 2, as baselines for saddle_newton. The saddle
/// point, with gamma_j = h_j^c, is
///
///   min_lambda max_{gamma, a}  gain(a) - 1/2 sum_jk lambda_jk q_jk / gamma_j.

#include "regularizer/concepts.hpp"
#include "weights/saddle/saddle_weights.hpp"

namespace kernmix {

/// Updates lambda_jk <- lambda_jk sqrt(q_jk) / sum and gamma from W_j simultaneously
/// (docs/reference/solvers/mixed-norm.md). The method reaches a rough answer with few SVMs, but has
/// no proof of convergence.
void alternating_saddle(const MixedNormSaddle& regularizer, Objective& run);

/// Saketha Nath et al., NIPS 2009, algorithm 1 as printed. The outer loop updates gamma, and the
/// inner loop runs mirror descent on lambda until its own gap is small. Then gamma is set in closed
/// form at the last lambda and a. That step maximises neither a minorant nor a majorant of
/// min_lambda max_a, so the bounds need not improve (docs/explanation/errata.md, 1). The step size
/// is the paper's, with its factors of n cancelled (docs/explanation/errata.md, 2).
void mixed_norm_printed(const MixedNormSaddle& regularizer, Objective& run);

/// The convergent order of updates (Aflalo et al., JMLR 2011). The outer loop runs mirror descent
/// on lambda. For each lambda, the inner loop alternates between a and gamma, which maximises a
/// jointly concave function.
void mixed_norm_sound(const MixedNormSaddle& regularizer, Objective& run);

struct MixedNormSound : TakesSaddleWeights {
  static constexpr const char* name = "mixed-norm-sound";
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    mixed_norm_sound(regularizer, run);
  }
};

struct MixedNormPrinted : TakesSaddleWeights {
  static constexpr const char* name = "mixed-norm-printed";
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    mixed_norm_printed(regularizer, run);
  }
};

}  // namespace kernmix
