#pragma once
/// \file
/// Steps of an interior point method for dual vector and weights at once (joint_barrier.hpp), for
/// weights on the simplex or its part below a bound, 0 <= d_m <= u and sum d_m = 1.

#include <cstddef>

#include "kernmix/bank/triangle_cache.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// A size at which factorising n x n matrices some fifteen times is cheap.
[[nodiscard]] bool joint_steps_affordable(Index n, Index M);

/// Whether they are cheaper than cutting planes: some fifteen factorisations, n / 3 operations for
/// each entry of K(d), against some forty SVMs, of which each has its K(d) from few kernels and
/// reads the entries of M. Where the dual is smooth all samples are free and Newton's method needs
/// no other steps.
[[nodiscard]] bool joint_steps_worthwhile(const Loss& loss, Index n, Index M);

/// Triangles that the steps keep, at most: 24 MB.
[[nodiscard]] constexpr Index most_triangles(Index n) { return 6'000'000 / packed_size(n); }

/// What the steps keep for W of M kernels, of which `dense` lie in the bank as triangles and
/// `known` others have triangles already: the factor of K(d) in its place, the products of the
/// kernels twice, what BLAS packs of them, and in single precision triangles of the
/// other kernels as long as these are few entries, and then K(d).
[[nodiscard]] std::size_t joint_steps_bytes(Index n, Index W, Index dense = 0, Index known = 0);

/// Whether the problem has the form that the method needs, and is small enough.
[[nodiscard]] bool joint_steps_fit(const Objective& run, double upper_bound);

/// Steps from `start`, the weights below `upper_bound`, until the products of distances and
/// multipliers, which add up to the gap, are a part of the gap that is asked for; then the SVM at
/// the weights found there. Ends when the run does, or where rounding leaves no step.
void joint_steps(double upper_bound, Objective& run, const Point& start);

}  // namespace kernmix
