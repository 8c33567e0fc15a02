#pragma once
/// \file
/// Kernels that act as the identity: almost every sample is similar to itself alone, so that the
/// kernel separates the training samples and says nothing about others.

#include "kernmix/kernel.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

/// c = |k(x, z)| / sqrt(k(x, x) k(z, z)) of all pairs except equal samples. \param K  symmetric
[[nodiscard]] Vector similarities(const Matrix& K);

/// Whether c is at most 0.02 for 99 % of the pairs of distinct samples.
/// \param similarities  c of each pair, reordered; \param centred  added to 0.02
[[nodiscard]] bool acts_as_identity(Vector& similarities, double centred = 0.0);

/// The same on 200 evenly spaced samples. \param source  a symmetric kernel
[[nodiscard]] bool acts_as_identity(const KernelSource& source, bool centred);

/// What centring does to c: off the diagonal a centred identity is -1 / (n - 1).
[[nodiscard]] double similarity_by_centring(bool centred, Index samples);

}  // namespace kernmix
