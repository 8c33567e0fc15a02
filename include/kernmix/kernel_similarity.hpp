#pragma once
/// \file
/// How alike kernels are, and how many directions their weighted sum has: what kernel weights may
/// mean. Kernels that say the same share a weight in any way.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct KernelSimilarity {
  std::vector<Index> kernels;  ///< places of the K that were looked at, ascending
  Index samples = 0;           ///< that were looked at, evenly spaced
  /// K x K: <K_k^c, K_l^c>_F / (||K_k^c||_F ||K_l^c||_F) with K^c = H K H, in [-1, 1] (Cortes,
  /// Mohri and Rostamizadeh, JMLR 2012, definition 4); 0 for a kernel that is constant.
  Matrix alignment;
  /// Eigenvalues of sum_k w_k K_k^c over their sum, descending, one for each sample, those below 0
  /// by rounding as 0; all 0 where the sum is constant.
  Vector spectrum;
};

/// Cost: K samples^2 entries of kernels, K^2 samples^2 / 2 multiplications and one eigenvalue
/// problem of the size of the samples.
/// \param sources  M kernels of the same n samples on both sides;  \param weights  M, >= 0
/// \param most_kernels  K at most: those with the largest weights, none without
/// \throws ParameterError where the lengths differ
[[nodiscard]] KernelSimilarity kernel_similarity(const std::vector<KernelSourcePtr>& sources,
                                                 ConstSpan weights, Index most_kernels,
                                                 const Context& context);

}  // namespace kernmix
