#pragma once
/// \file
/// Groups of kernels that may share a basis, from a few samples of each.

#include <vector>

#include "base/linear_algebra.hpp"
#include "kernmix/kernel.hpp"

namespace kernmix {

/// Statistics of a kernel on a few of the sketched samples.
struct KernelProbe {
  double similarity = 0.0;  ///< sum |k(x, z)| / sqrt(k(x, x) k(z, z)), x one of the few
  double trace = 0.0;       ///< on the sketched samples
  Vector diagonal;          ///< there
  RowMatrixF rows;          ///< k(x, .) there, one row for each of the few
};

/// \param samples  the sketched ones
/// \param places   of the few, among them
[[nodiscard]] KernelProbe first_look(const KernelSource& source, std::span<const Index> samples,
                                     std::span<const Index> places);

/// Remaining kernels that may share a basis, roughest first.
struct Candidates {
  std::vector<Index> kernels;
  Index leaders;  ///< number of kernels that make a basis in the next round
};

/// As many as ever make a basis at once, and those of kernels that do not say what they compare.
constexpr Index most_leaders = 8;

/// `kernels` by the samples that they compare, those that do not say so together.
/// \param looks  of each source, by its number
[[nodiscard]] std::vector<Candidates> grouped_by_comparison(
    const std::vector<KernelSourcePtr>& sources, const std::vector<KernelProbe>& looks,
    std::vector<Index> kernels);

}  // namespace kernmix
