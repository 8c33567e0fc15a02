#pragma once
/// \file
/// Tasks with separate weights, one after another:
///
///   min_{d^1, ..., d^T in D}  sum_k Phi(d^k) + J_k(d^k)

#include "kernmix/solve.hpp"

namespace kernmix {

/// What becomes of a problem whose time is over before the first step of its SVM.
enum class Late { untrained, trained_for_a_moment };

/// solve()
[[nodiscard]] Answer solve_by_time(const Problem& problem, const SolverOptions& options,
                                   const Context& context, Late late);

/// Solves each task on the kernels of its rows to the tolerance. The status is the first that is
/// not `converged`.
[[nodiscard]] Answer solve_separately(const Problem& problem, const SolverOptions& options,
                                      const Context& context);

}  // namespace kernmix
