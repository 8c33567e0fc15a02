#pragma once
/// \file
/// The Gram matrices of few kernels, for a solver that combines them anew in every step.

#include <vector>

#include "kernel/bank/packed.hpp"
#include "kernmix/kernel/bank.hpp"
#include "linear_algebra.hpp"

namespace kernmix {

/// Lower triangles in single precision: adding them up reads 2 n^2 bytes a kernel, where a bank of
/// factors does n^2 operations for each of their columns.
class KernelTriangles {
 public:
  KernelTriangles(const KernelBank& bank, const Context& context)
      : bank_(bank), context_(context), n_(bank.samples()) {}

  /// Whether triangles of so many kernels are small enough to be worth their memory.
  [[nodiscard]] static bool fit(Index samples, Index kernels) {
    return kernels * packed_size(samples) <= most_entries;
  }
  static constexpr Index most_entries = 16'000'000;

  void append(const std::vector<Index>& kernels);
  /// Leaves only the kernels at these places, ascending.
  void keep(const std::vector<Index>& places);

  /// The lower triangle of `out`, n x n, becomes that of K(d), d the weights in the order of the
  /// kernels.
  void combine(const Eigen::ArrayXd& d, RowMatrix& out) const;

 private:
  const KernelBank& bank_;
  const Context& context_;
  Index n_;
  std::vector<Packed<float>> triangles_;
};

}  // namespace kernmix
