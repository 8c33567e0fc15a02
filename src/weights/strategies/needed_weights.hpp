#pragma once
/// \file
/// Weights that a step must not take: of kernels that alone hold a part of the dual vector.

#include "regularizer/weight_model.hpp"
#include "weights/point.hpp"

namespace kernmix {

/// `x`, the minimiser of the model on the simplex, with more weight where x takes it from kernels
/// that will need some. The model lets q_m grow linearly as d_m falls. A kernel that shares no
/// direction with others has q_m ~ d_m^-2 instead, and one that shares some
///
///   q_m ~ d_m^(-2 v),   v = -1/2 dlog q_m / dlog d_m along the step, between 0 and 1:
///
/// it keeps what brings q_m to the largest q of the model at x. What is little, or would be of
/// kernels of small v, goes.
[[nodiscard]] Vector keep_needed_weights(const WeightModel& model, Vector x);

/// Whether a step has taken weights that are needed: the dual vector then has parts that no kernel
/// in K(d) holds, the kernels that do have a q far above all others, and J a kink that no second
/// order model tells them from. It may be lower all the same.
[[nodiscard]] bool took_needed_weights(const Point& before, const Point& after);

}  // namespace kernmix
