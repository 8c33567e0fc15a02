#pragma once
/// \file
/// What dense kernels make of a dual vector at all samples, and not at its support alone: where the
/// weights change, K(d) a is then known without reading a kernel.

#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

struct WholeProducts {
  /// Reads these kernels, ascending.
  WholeProducts(const KernelBank& bank, std::vector<Index> some, Vector dual,
                const Context& context);

  Vector a;
  std::vector<Index> kernels;
  Matrix rows;  ///< row k: K_m a, m = kernels[k]

  /// q_m = a' K_m a of these kernels; other entries stay.
  void forms(MutableSpan q) const;

  /// K(d) a for weights on these kernels only.
  [[nodiscard]] Vector product(ConstSpan d) const;

  /// K(d) a for any weights: reads the other kernels with weight.
  [[nodiscard]] Vector product(ConstSpan d, const KernelBank& bank, const Context& context) const;
};

/// The kernels with d_m > 0, ascending.
[[nodiscard]] std::vector<Index> with_weight(ConstSpan d);

}  // namespace kernmix
