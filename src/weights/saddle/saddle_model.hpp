#pragma once
/// \file
/// The second order model of the saddle function V(lambda, h) with h eliminated.

#include <optional>

#include "weights/saddle/saddle_weights.hpp"

namespace kernmix {

/// A step of the model with its predicted changes: V decreases by `decrease` along lambda and
/// increases by `increase` along h.
struct SaddleStep {
  SaddleWeights target;  ///< shares may be negative: see part_of_the_way
  double decrease = 0.0;
  double increase = 0.0;
};

/// The step of the model from `weights`, where `point` was evaluated. It takes one pass over the
/// bank. The result is empty if the model is not finite.
///
/// With d = lambda / h^c, g = -q/2 and H = B B' the curvature of J
/// (docs/reference/solvers/newton.md), A = dd/dlambda and N = dd/dh:
///
///   V_ll = A'HA,   V_lh = A'HN + diag-part(c q / (2 h^{c+1})),
///   V_hh = N'HN - diag(c (c+1)/2 W_j / h_j^{c+2}),   negative definite on sum dh = 0.
[[nodiscard]] std::optional<SaddleStep> saddle_newton_step(const MixedNormSaddle& regularizer,
                                                           Objective& run,
                                                           const SaddleWeights& weights,
                                                           const Point& point);

/// Moves the fraction t of the way. No share loses more than 0.7 of its value.
[[nodiscard]] SaddleWeights part_of_the_way(const SaddleWeights& from, const SaddleWeights& to,
                                            double t);

}  // namespace kernmix
