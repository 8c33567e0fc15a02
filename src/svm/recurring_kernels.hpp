#pragma once
/// \file
/// K(d) for one weight vector after another.

#include <span>
#include <vector>

#include "bank/packed/packed.hpp"
#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// To combine kernels that it keeps as factors a bank multiplies their columns, n^2 operations for
/// each. From the second weight vector on such kernels get a lower triangle in single precision:
/// adding it up does n^2 / 2 operations, whatever the rank.
class RecurringKernels {
 public:
  explicit RecurringKernels(const KernelBank& bank);

  /// K(d), n x n row-major, as KernelBank::combine.
  void combine(ConstSpan d, std::span<float> out, const Context& context);

  /// The triangle of K_m, or null where there is none.
  [[nodiscard]] const Packed<float>* find(Index m) const;
  /// Keeps a triangle that was made elsewhere, where one of K_m would be of use and there is room.
  void add(Index m, const Packed<float>& triangle, const Context& context);

  /// How many triangles are expected of so many kernels in factors that are worth one.
  [[nodiscard]] static Index expected(Index samples, Index kernels);
  /// Adding up a triangle takes about as long as a product of so many columns.
  static constexpr Index columns_of_a_triangle = 16;

 private:
  /// Kernels with weight that are better added up as triangles, of those that have none.
  [[nodiscard]] std::vector<Index> worth_a_triangle(ConstSpan d) const;
  void make(const std::vector<Index>& kernels, const Context& context);
  [[nodiscard]] bool has_room(Index more, const Context& context) const;

  const KernelBank& bank_;
  bool recurring_ = false;    ///< whether there was a weight vector before
  std::vector<Index> place_;  ///< in triangles_, or -1
  PackedStack<float> triangles_;
};

}  // namespace kernmix
