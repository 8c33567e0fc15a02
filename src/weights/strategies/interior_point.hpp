#pragma once
/// \file
/// Joint interior point steps in the dual vector and the weights (joint_barrier.hpp), for weights
/// on the simplex or the part of it below a bound, 0 <= d_m <= u and sum d_m = 1.

#include <cstddef>

#include "kernmix/bank/triangle_cache.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// Whether about fifteen factorisations of n x n matrices are cheap at this size.
[[nodiscard]] bool joint_steps_affordable(Index n, Index M);

/// Whether interior point steps are cheaper than cutting planes. The former take about fifteen
/// factorisations, n / 3 operations per entry of K(d). The latter take about forty SVMs, each of
/// which combines K(d) from few kernels and reads the entries of M kernels. With a smooth dual, all
/// samples are free and Newton's method needs no other steps.
[[nodiscard]] bool joint_steps_worthwhile(const Loss& loss, Index n, Index M);

/// The largest number of triangles that the steps store: 24 MB.
[[nodiscard]] constexpr Index most_triangles(Index n) { return 6'000'000 / packed_size(n); }

/// The memory of the steps on W kernels. `dense` of them are stored in the bank as triangles, and
/// `known` others already have cached triangles. The memory consists of the factor of K(d),
/// computed in place, the products of the kernels twice and the buffers that BLAS packs from them.
/// In single precision, there are triangles of the other kernels if these have few entries, and
/// K(d) otherwise.
[[nodiscard]] std::size_t joint_steps_bytes(Index n, Index W, Index dense = 0, Index known = 0);

/// Whether the problem is small enough and has the form that the method requires.
[[nodiscard]] bool joint_steps_fit(const Objective& run, double upper_bound);

/// Takes steps from `start` with weights below `upper_bound`, until the sum of the products of
/// distances and multipliers, which equals the gap, is a part of the required gap. Then the SVM is
/// solved at the resulting weights. The steps end with the run, or if rounding prevents any further
/// step.
void joint_steps(double upper_bound, Objective& run, const Point& start);

}  // namespace kernmix
