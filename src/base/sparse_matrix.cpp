#include "kernmix/sparse_matrix.hpp"

#include <algorithm>
#include <limits>

namespace kernmix {

double SparseMatrix::operator()(Index i, Index j) const {
  const auto own = columns_of(i);
  const auto found = std::ranges::lower_bound(own, j);
  if (found == own.end() || *found != j) return 0.0;
  return values_of(i)[static_cast<std::size_t>(found - own.begin())];
}

std::size_t SparseMatrix::bytes() const {
  return starts.size() * sizeof(Index) + values.size() * (sizeof(double) + sizeof(std::int32_t));
}

bool is_well_formed(const SparseMatrix& matrix) {
  if (matrix.rows < 0 || matrix.cols < 0 ||
      matrix.cols > std::numeric_limits<std::int32_t>::max() ||
      length(matrix.starts) != matrix.rows + 1 || matrix.columns.size() != matrix.values.size() ||
      matrix.starts.front() != 0 || matrix.starts.back() != length(matrix.values) ||
      !std::ranges::is_sorted(matrix.starts)) {
    return false;
  }
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto own = matrix.columns_of(i);
    if (own.empty()) continue;
    if (own.front() < 0 || own.back() >= matrix.cols) return false;
    if (std::ranges::adjacent_find(own, std::ranges::greater_equal()) != own.end()) return false;
  }
  return true;
}

bool is_better_sparse(Index entries, Index rows, Index cols) {
  constexpr double entry = sizeof(double) + sizeof(std::int32_t);
  const double dense = 8.0 * static_cast<double>(rows) * static_cast<double>(cols);
  return dense >= 0x1p20 && entry * static_cast<double>(entries) < dense / 2.0;
}

Matrix dense(const SparseMatrix& matrix) {
  Matrix all(matrix.rows, matrix.cols);
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto columns = matrix.columns_of(i);
    const ConstSpan values = matrix.values_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) all(i, columns[k]) = values[k];
  }
  return all;
}

SparseMatrix sparse(const ConstMatrix& matrix) {
  SparseMatrix entries;
  entries.cols = matrix.cols;
  for (Index i = 0; i < matrix.rows; ++i) {
    const ConstSpan row = matrix.row(i);
    for (Index j = 0; j < matrix.cols; ++j) entries.add(j, row[to_size(j)]);
    entries.end_row();
  }
  return entries;
}

SparseMatrix rows_at(const SparseMatrix& matrix, std::span<const Index> rows) {
  SparseMatrix some;
  some.cols = matrix.cols;
  for (const Index i : rows) {
    const auto columns = matrix.columns_of(i);
    const ConstSpan values = matrix.values_of(i);
    some.columns.insert(some.columns.end(), columns.begin(), columns.end());
    some.values.insert(some.values.end(), values.begin(), values.end());
    some.end_row();
  }
  return some;
}

SparseMatrix transposed(const SparseMatrix& matrix) {
  SparseMatrix turned;
  turned.rows = matrix.cols;
  turned.cols = matrix.rows;
  turned.starts.assign(to_size(matrix.cols) + 1, 0);
  for (const std::int32_t j : matrix.columns) ++turned.starts[to_size(j) + 1];
  for (std::size_t j = 1; j < turned.starts.size(); ++j) turned.starts[j] += turned.starts[j - 1];
  turned.columns.resize(matrix.columns.size());
  turned.values.resize(matrix.values.size());
  std::vector<Index> next(turned.starts.begin(), turned.starts.end() - 1);
  for (Index i = 0; i < matrix.rows; ++i) {
    const auto columns = matrix.columns_of(i);
    const ConstSpan values = matrix.values_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto at = to_size(next[to_size(columns[k])]++);
      turned.columns[at] = static_cast<std::int32_t>(i);
      turned.values[at] = values[k];
    }
  }
  return turned;
}

}  // namespace kernmix
