#pragma once
/// \file
/// Few kernels, for a solver that combines and multiplies them anew in every step.

#include <vector>

#include "bank/packed/packed.hpp"
#include "base/linear_algebra.hpp"
#include "kernmix/bank/bank.hpp"
#include "svm/recurring_kernels.hpp"

namespace kernmix {

/// Lower triangles in single precision, the bank's own where it has them: adding them up reads 2
/// n^2 bytes a kernel, where a bank of factors does n^2 operations for each of their columns.
/// Beside them the short factors that the bank has in that precision: K_m a by the r columns of L_m
/// reads 8 n r bytes.
class KernelTriangles {
 public:
  /// All must outlive it.
  /// \param known  what there are triangles of already; learns of new ones
  KernelTriangles(const KernelBank& bank, RecurringKernels& known, const Context& context)
      : bank_(bank), known_(known), context_(context), n_(bank.samples()) {}

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
  /// U[k, :] = K_k a, in the order of the kernels.
  void multiply(ConstSpan a, Matrix& U) const;

 private:
  struct Kernel {
    Index number;  ///< in the bank
    Packed<float> triangle;
    std::vector<float> L;  ///< L', r x n; empty where the bank has no factor
  };
  /// u = L (L'a)
  void multiply(const Kernel& kernel, ConstSpan a, MutableSpan u) const;

  /// Those at hand, and new ones: of the factors, or from the bank where there is none.
  [[nodiscard]] std::vector<Packed<float>> triangles(
      const std::vector<Index>& kernels, const std::vector<std::vector<float>>& factors);
  /// The triangle that the bank or `known_` keeps anyway, or null.
  [[nodiscard]] const Packed<float>* at_hand(Index m) const;
  /// So many triangles without a value, of what is left over first.
  [[nodiscard]] std::vector<Packed<float>> blank(Index count);

  const KernelBank& bank_;
  RecurringKernels& known_;
  const Context& context_;
  Index n_;
  std::vector<Kernel> kernels_;
  std::vector<Packed<float>> spare_;  ///< of kernels that are gone: they lie between the others
};

}  // namespace kernmix
