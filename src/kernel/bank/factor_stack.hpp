#pragma once
/// \file
/// Kernels as factors, K = Z Z'.

#include <vector>

#include "kernel/bank/stack.hpp"

namespace kernmix {

/// W of a combination of factors, K(d) = W W'.
struct WeightedFactor {
  Index rank = 0;
  std::vector<float> values;  ///< n x rank, row-major

  /// out += (W W') at `tile`, row-major tile.rows() x tile.cols(). Serial.
  void add_tile(const Tile& tile, MutableSpan out) const;
};

/// Factors of several kernels stand side by side in panels, n x (about 64) row-major: one row of a
/// panel is a few cache lines, however small the ranks are.
class FactorStack final : public KernelStack {
 public:
  explicit FactorStack(Index samples) : n_(samples) {}

  /// Appends Z (n x rank) of one kernel.
  void append(Matrix Z);

  [[nodiscard]] Index kernels() const override { return length(places_); }
  [[nodiscard]] std::size_t bytes() const override;
  void quadratic_forms(const DualVector& a, MutableSpan q, const Context& context) const override;
  void add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                   const Context& context) const override;
  void add_block(std::span<const Term> terms, std::span<const Index> rows,
                 std::span<const Index> cols, MutableSpan out) const override;
  void block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override;

  /// W, n x r row-major in single precision, with W W' = sum_t weight_t K_t: the columns
  /// sqrt(weight_t) Z_t of all terms side by side. Weights must be >= 0.
  [[nodiscard]] WeightedFactor weighted(std::span<const Term> terms, const Context& context) const;

  /// The same columns in double precision.
  [[nodiscard]] Matrix joined_columns(std::span<const Term> terms, const Context& context) const;
  /// Their number.
  [[nodiscard]] Index columns(std::span<const Term> terms) const;

 private:
  /// Columns [offset, offset + rank) of a panel.
  struct Place {
    std::size_t panel;
    Index offset;
    Index rank;
  };
  /// The weight of each column of a panel; panels without a term have none.
  using ColumnWeights = std::vector<Vector>;

  [[nodiscard]] ColumnWeights column_weights(std::span<const Term> terms) const;
  template <typename T>
  void write_columns(std::span<const Term> terms, Index columns, std::span<T> out,
                     const Context& context) const;
  /// v[p] = panel p transposed times a, for the chosen panels.
  [[nodiscard]] std::vector<Vector> project(const std::vector<std::size_t>& panels,
                                            const DualVector& a, const Context& context) const;

  Index n_;
  std::vector<Matrix> panels_;
  std::vector<Place> places_;
};

}  // namespace kernmix
