#pragma once
/// \file
/// K(d) for a sequence of weight vectors that mostly use the same kernels.

#include <memory>
#include <span>
#include <vector>

#include "kernmix/bank/bank.hpp"

namespace kernmix {

/// The lower triangle of a kernel in single precision, packed by rows (Combined::triangle).
using Triangle = std::shared_ptr<const float[]>;

/// Entries of the lower triangle of an n x n matrix.
[[nodiscard]] constexpr Index packed_size(Index n) { return n * (n + 1) / 2; }

/// To combine kernels that are stored as factors a bank multiplies their columns, with n^2
/// operations for each. From the second weight vector on these kernels get a triangle: adding it
/// takes n^2 / 2 operations for any rank.
class TriangleCache {
 public:
  /// \param bank  must outlive it
  explicit TriangleCache(const KernelBank& bank);

  /// K(d), n x n row-major, as Combined::matrix.
  void combine(ConstSpan d, std::span<float> out, const Context& context);

  /// The triangles of `kernels`: the bank's own, cached ones, and new ones, which are cached if
  /// combine() can use them and memory allows it.
  [[nodiscard]] std::vector<Triangle> triangles(std::span<const Index> kernels,
                                                const Context& context);

  /// The number of triangles that are cached for `kernels` suitable kernels.
  [[nodiscard]] static Index expected(Index samples, Index kernels);
  /// Adding a triangle takes about as long as a product of this number of columns.
  static constexpr Index columns_of_a_triangle = 16;

 private:
  /// Kernels with weight but without a triangle that are faster to add as triangles.
  [[nodiscard]] std::vector<Index> worth_a_triangle(ConstSpan d) const;
  /// New triangles of `kernels`, from the bank.
  [[nodiscard]] std::vector<Triangle> read(std::span<const Index> kernels,
                                           const Context& context) const;
  void keep(Index m, Triangle triangle);
  [[nodiscard]] bool has_room(Index more, const Context& context) const;
  [[nodiscard]] Index columns(Index m) const;

  const KernelBank& bank_;
  bool recurring_ = false;      ///< whether a weight vector was combined before
  std::vector<Triangle> kept_;  ///< for every kernel, or null
  Index count_ = 0;             ///< number of cached triangles
};

/// The lower triangle of `out`, n x n row-major, becomes that of sum_k d_k T_k.
void combine_triangles(std::span<const Triangle> triangles, ConstSpan d, Index n, MutableSpan out,
                       const Context& context);

}  // namespace kernmix
