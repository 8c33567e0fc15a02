#pragma once
/// \file
/// K(d) for one weight vector after another, of kernels that mostly stay the same.

#include <memory>
#include <span>
#include <vector>

#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// The lower triangle of a kernel in single precision, packed by rows (Combined::triangle).
using Triangle = std::shared_ptr<const float[]>;

/// Entries of the lower triangle of an n x n matrix.
[[nodiscard]] constexpr Index packed_size(Index n) { return n * (n + 1) / 2; }

/// To combine kernels that it keeps as factors a bank multiplies their columns, n^2 operations for
/// each. From the second weight vector on such kernels get a triangle: adding it up does n^2 / 2
/// operations, whatever the rank.
class TriangleCache {
 public:
  /// \param bank  must outlive it
  explicit TriangleCache(const KernelBank& bank);

  /// K(d), n x n row-major, as Combined::matrix.
  void combine(ConstSpan d, std::span<float> out, const Context& context);

  /// Those of `kernels`: the bank's own, those at hand, and new ones, which are kept where they
  /// will be of use to combine() and there is room.
  [[nodiscard]] std::vector<Triangle> triangles(std::span<const Index> kernels,
                                                const Context& context);

  /// How many of so many kernels in factors that are worth a triangle get one.
  [[nodiscard]] static Index expected(Index samples, Index kernels);
  /// Adding up a triangle takes about as long as a product of so many columns.
  static constexpr Index columns_of_a_triangle = 16;

 private:
  /// Kernels with weight that are better added up as triangles, of those that have none.
  [[nodiscard]] std::vector<Index> worth_a_triangle(ConstSpan d) const;
  /// New triangles of `kernels`, from the bank.
  [[nodiscard]] std::vector<Triangle> read(std::span<const Index> kernels,
                                           const Context& context) const;
  void keep(Index m, Triangle triangle);
  [[nodiscard]] bool has_room(Index more, const Context& context) const;
  [[nodiscard]] Index columns(Index m) const;

  const KernelBank& bank_;
  bool recurring_ = false;      ///< whether there was a weight vector before
  std::vector<Triangle> kept_;  ///< of every kernel, or null
  Index count_ = 0;             ///< of those
};

/// Triangles of so many kernels are small enough to be worth their memory.
inline constexpr Index most_triangle_entries = 16'000'000;
[[nodiscard]] constexpr bool triangles_fit(Index samples, Index kernels) {
  return kernels * packed_size(samples) <= most_triangle_entries;
}

/// The lower triangle of `out`, n x n row-major, becomes that of sum_k d_k T_k.
void combine_triangles(std::span<const Triangle> triangles, ConstSpan d, Index n, MutableSpan out,
                       const Context& context);

}  // namespace kernmix
