#pragma once
/// \file
/// Z, n x r with K(d) = Z Z', as blocks of columns: [s_1 X_1, s_2 X_2, ...]. The blocks are those
/// that the bank stores, each times the root of its weight, or one block of their own. Results are
/// bitwise identical for any number of threads.

#include <vector>

#include "kernmix/bank/bank.hpp"
#include "kernmix/context.hpp"
#include "kernmix/types.hpp"

namespace kernmix {

class WeightedColumns {
 public:
  /// Newton systems of more columns than this are solved by conjugate gradients
  /// (docs/reference/solvers/semismooth-newton.md).
  static constexpr Index many = 512;
  /// Whether columns that the bank stores are read there: a copy of many columns or samples would
  /// be larger than the bank.
  [[nodiscard]] static constexpr bool borrows(Index samples, Index columns) {
    constexpr Index many_samples = 8192;
    return columns > many || samples > many_samples;
  }

  WeightedColumns() = default;
  explicit WeightedColumns(Matrix Z);
  WeightedColumns(const WeightedColumns&) = delete;
  WeightedColumns& operator=(const WeightedColumns&) = delete;
  WeightedColumns(WeightedColumns&&) noexcept = default;
  WeightedColumns& operator=(WeightedColumns&&) noexcept = default;
  ~WeightedColumns() = default;

  /// Z of K(d), which borrows columns that the bank stores, as borrows() says.
  /// \param constant  with a column of ones, for a penalised bias
  [[nodiscard]] static WeightedColumns of(const Combined& K, bool constant, const Context& context);

  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index cols() const { return cols_; }

  /// z_i'p
  [[nodiscard]] double dot(Index i, const double* p) const;
  /// v += s z_i
  void add_row(double s, Index i, double* v) const;
  /// |z_i|^2
  [[nodiscard]] double squared_norm(Index i) const;
  /// Entries of z_i, cols() numbers.
  void copy_row(Index i, double* out) const;

  /// f = Z p
  void multiply(ConstSpan p, MutableSpan f, const Context& context) const;
  /// v += sum_k values[k] z_rows[k]
  void add_rows(std::span<const Index> rows, ConstSpan values, MutableSpan v,
                const Context& context) const;
  /// Z'a
  [[nodiscard]] Vector transposed_product(ConstSpan a, const Context& context) const;

 private:
  /// Calls body(values of row i, columns, scale, first column) for each block.
  template <typename Body>
  void for_blocks(Index i, const Body& body) const {
    Index first = 0;
    for (const StoredColumns& block : blocks_) {
      std::visit(
          [&](const auto* values) {
            body(values + i * block.columns, block.columns, block.scale, first);
          },
          block.values);
      first += block.columns;
    }
  }

  Index rows_ = 0;
  Index cols_ = 0;
  Vector own_;  ///< what the blocks do not borrow
  std::vector<StoredColumns> blocks_;
};

}  // namespace kernmix
