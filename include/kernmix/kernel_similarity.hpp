#pragma once
/// \file
/// Similarity of kernels, and the spectrum of their weighted sum, for the interpretation of kernel
/// weights: the division of weight among similar kernels is arbitrary.

#include <vector>

#include "kernmix/context.hpp"
#include "kernmix/kernel.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct KernelSimilarity {
  std::vector<Index> kernels;  ///< indices of the K kernels compared, ascending
  Index samples = 0;           ///< number of samples used, evenly spaced
  /// K x K: <K_k^c, K_l^c>_F / (||K_k^c||_F ||K_l^c||_F) with K^c = H K H, in [-1, 1] (Cortes,
  /// Mohri and Rostamizadeh, JMLR 2012, definition 4); 0 for a kernel that is constant.
  Matrix alignment;
  /// Eigenvalues of sum_k w_k K_k^c divided by their sum, descending, one for each sample; values
  /// below 0 by rounding are 0; all are 0 if the sum is constant.
  Vector spectrum;
};

/// Cost: K samples^2 entries of kernels, K^2 samples^2 / 2 multiplications and one eigenvalue
/// problem of the size of the samples.
/// \param sources  M kernels of the same n samples on both sides;  \param weights  M, >= 0
/// \param most_kernels  maximum of K: kernels with the largest weights, all of them above zero
/// \throws ParameterError if the lengths differ
[[nodiscard]] KernelSimilarity kernel_similarity(const std::vector<KernelSourcePtr>& sources,
                                                 ConstSpan weights, Index most_kernels,
                                                 const Context& context);

}  // namespace kernmix
