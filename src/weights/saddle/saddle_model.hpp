#pragma once
/// \file
/// The second order model of the saddle function V(lambda, h) with h eliminated.

#include <optional>

#include "weights/saddle/saddle_weights.hpp"

namespace kernmix {

/// A step of the model and what it promises: V falls by `decrease` along lambda and rises by
/// `increase` along h.
struct SaddleStep {
  SaddleWeights target;  ///< shares may be negative: see part_of_the_way
  double decrease = 0.0;
  double increase = 0.0;
};

/// The model's step from `weights`, where `point` was evaluated; reads one pass over the bank.
/// Nothing where the model is not finite.
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

/// A part t of the way, where no share loses more than 0.7 of itself.
[[nodiscard]] SaddleWeights part_of_the_way(const SaddleWeights& from, const SaddleWeights& to,
                                            double t);

}  // namespace kernmix
