#pragma once
/// \file
/// Weights that a step must keep: the weights of kernels that alone span some directions of the
/// feature space.

#include "regularizer/weight_model.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// Returns `x`, the minimiser of the model on the simplex, with increased weights for kernels that
/// will need them. In the model, q_m grows linearly as d_m falls. For a kernel that shares no
/// direction with others, however, q_m ~ d_m^-2, and for a kernel that shares some directions
///
///   q_m ~ d_m^(-2 v),   v = -1/2 dlog q_m / dlog d_m along the step, between 0 and 1.
///
/// The kernel keeps the weight at which its q_m equals the largest q of the model at x. Small
/// weights, and weights of kernels with small v, are not kept.
[[nodiscard]] Vector keep_needed_weights(const WeightModel& model, Vector x);

/// Whether a step has removed needed weights. If so, the dual vector has parts that no kernel in
/// K(d) represents, the kernels that do represent them have a q far above all others, and J has a
/// kink that a second order model cannot resolve. J may nevertheless be lower after such a step.
[[nodiscard]] bool took_needed_weights(const Point& before, const Point& after);

}  // namespace kernmix
