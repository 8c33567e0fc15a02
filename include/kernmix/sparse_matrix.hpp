#pragma once
/// \file
/// Sparse matrices in compressed rows.

#include <cstdint>
#include <span>
#include <vector>

#include "kernmix/types.hpp"

namespace kernmix {

/// A sparse matrix in compressed rows; cells without an entry are 0.
struct SparseMatrix {
  Index rows = 0;
  Index cols = 0;
  std::vector<Index> starts = {0};    ///< of each row among the entries, and the end: rows + 1
  std::vector<std::int32_t> columns;  ///< of each entry, ascending in each row
  Vector values;                      ///< of each entry

  [[nodiscard]] double operator()(Index i, Index j) const;
  [[nodiscard]] std::span<const std::int32_t> columns_of(Index i) const {
    return std::span(columns).subspan(to_size(starts[to_size(i)]), entries_of(i));
  }
  [[nodiscard]] ConstSpan values_of(Index i) const {
    return ConstSpan(values).subspan(to_size(starts[to_size(i)]), entries_of(i));
  }
  /// Appends an entry to the last row, which end_row() completes. Zeros are left out.
  void add(Index column, double value) {
    if (value == 0.0) return;
    columns.push_back(static_cast<std::int32_t>(column));
    values.push_back(value);
  }
  void end_row() {
    starts.push_back(length(values));
    ++rows;
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  [[nodiscard]] std::size_t entries_of(Index i) const {
    return to_size(starts[to_size(i) + 1] - starts[to_size(i)]);
  }
};

/// Whether the parts fit each other, and each row has ascending columns.
[[nodiscard]] bool is_well_formed(const SparseMatrix& matrix);

/// Whether a matrix with this number of entries is stored as a sparse one: it then takes less than
/// half the memory of a dense one of at least 1 MiB.
[[nodiscard]] bool is_better_sparse(Index entries, Index rows, Index cols);

[[nodiscard]] Matrix dense(const SparseMatrix& matrix);
[[nodiscard]] SparseMatrix sparse(const ConstMatrix& matrix);
[[nodiscard]] SparseMatrix rows_at(const SparseMatrix& matrix, std::span<const Index> rows);
[[nodiscard]] SparseMatrix transposed(const SparseMatrix& matrix);

}  // namespace kernmix
