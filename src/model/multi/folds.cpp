#include "model/multi/folds.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <utility>

#include "kernel/bank/incomplete_cholesky.hpp"

namespace kernmix {
namespace {

template <typename T>
std::vector<T> entries_at(const std::vector<T>& values, const std::vector<Index>& places) {
  std::vector<T> some;
  if (values.empty()) return some;
  for (const Index i : places) some.push_back(values[static_cast<std::size_t>(i)]);
  return some;
}

MultiLabels labels_at(const MultiLabels& all, const std::vector<Index>& rows,
                      const std::vector<Index>& labels) {
  MultiLabels some{entries_at(all.names, labels), {}};
  for (const Index i : rows) {
    for (const Index t : labels) some.values.push_back(all.has(i, t) ? 1 : 0);
  }
  return some;
}

}  // namespace

std::vector<Index> random_folds(Index n, Index folds, std::uint64_t seed) {
  std::vector<Index> fold(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < fold.size(); ++i) fold[i] = static_cast<Index>(i) % folds;
  std::mt19937_64 engine(seed);
  for (std::size_t i = fold.size(); i > 1; --i) std::swap(fold[i - 1], fold[engine() % i]);
  return fold;
}

Matrix rows_of(const Matrix& matrix, const std::vector<Index>& rows) {
  Matrix part(length(rows), matrix.cols);
  for (Index i = 0; i < part.rows; ++i) {
    std::ranges::copy(matrix.row(rows[static_cast<std::size_t>(i)]), part.row(i).begin());
  }
  return part;
}

Dataset part_of(const Dataset& data, const std::vector<Index>& rows,
                const std::vector<Index>& against, const std::vector<Index>& labels) {
  Dataset part;
  const Table& table = data.table;
  part.table.source = table.source;
  part.table.columns = table.columns;
  part.table.values = rows_of(table.values, table.columns.empty() ? std::vector<Index>() : rows);
  part.table.labels = entries_at(table.labels, rows);
  part.table.multi_labels = labels_at(table.multi_labels, rows, labels);
  part.table.ids = entries_at(table.ids, rows);
  part.table.parts = table.parts;
  part.views = data.views;
  for (const MatrixView& view : data.matrices) {
    const std::vector<Index> cols = against.empty() ? all_samples(view.matrix.cols()) : against;
    auto matrix = std::make_shared<Matrix>(length(rows), length(cols));
    view.matrix.block(rows, cols, matrix->values);
    part.matrices.push_back({view.name, view.kind, std::move(matrix)});
  }
  return part;
}

}  // namespace kernmix
