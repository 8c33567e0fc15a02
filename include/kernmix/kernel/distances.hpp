#pragma once
/// \file
/// Kernels as losses of distances see them (docs/losses.md): shift - D with the squared distances
/// D = |phi(x) - phi(z)|^2 = k(x, x) + k(z, z) - 2 k(x, z) in the kernel's feature space.

#include <vector>

#include "kernmix/kernel/source.hpp"

namespace kernmix {

/// shift - D of the kernel `source`, which must know k(x, x) on both sides.
[[nodiscard]] KernelSourcePtr distance_source(KernelSourcePtr source, double shift);

struct DistanceKernels {
  std::vector<KernelSourcePtr> sources;
  double shift = 0.0;  ///< one for all; the loss must be told: with_shift
};

/// Training kernels turned into distances, shifted so that a'K_m a >= 0 wherever a >= 0 has the
/// sum 1.
[[nodiscard]] DistanceKernels distance_kernels(const std::vector<KernelSourcePtr>& sources);

}  // namespace kernmix
