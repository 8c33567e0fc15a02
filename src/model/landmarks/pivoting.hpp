#pragma once
/// \file
/// Randomly pivoted Cholesky (Chen, Epperly, Tropp and Webber, Communications on Pure and Applied
/// Mathematics 2025) in its accelerated form with blocks of proposals (Epperly, Tropp and Webber,
/// arXiv 2410.03969).

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// At most R samples, ascending, each drawn with probability proportional to the diagonal of the
/// residual of
///
///   S = sum_m K_m / trace K_m
///
/// after those before it. They are fewer where the residual of S is below the rounding of single
/// precision. n R entries of each kernel are evaluated, and n R floats are held.
[[nodiscard]] std::vector<Index> random_pivots(const std::vector<KernelSourcePtr>& kernels, Index R,
                                               const Context& context);

}  // namespace kernmix
