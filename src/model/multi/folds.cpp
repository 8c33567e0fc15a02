#include "model/multi/folds.hpp"

#include <numeric>
#include <random>
#include <utility>

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

Matrix sub_matrix(const Matrix& matrix, const std::vector<Index>& rows,
                  const std::vector<Index>& cols) {
  Matrix part(length(rows), cols.empty() ? matrix.cols : length(cols));
  for (Index i = 0; i < part.rows; ++i) {
    const ConstSpan from = matrix.row(rows[static_cast<std::size_t>(i)]);
    for (Index j = 0; j < part.cols; ++j) {
      const Index at = cols.empty() ? j : cols[static_cast<std::size_t>(j)];
      part(i, j) = from[static_cast<std::size_t>(at)];
    }
  }
  return part;
}

Dataset part_of(const Dataset& data, const std::vector<Index>& rows,
                const std::vector<Index>& against, const std::vector<Index>& labels) {
  Dataset part;
  const Table& table = data.table;
  part.table.source = table.source;
  part.table.columns = table.columns;
  part.table.values = sub_matrix(table.values, table.columns.empty() ? std::vector<Index>() : rows);
  part.table.labels = entries_at(table.labels, rows);
  part.table.multi_labels = labels_at(table.multi_labels, rows, labels);
  part.table.ids = entries_at(table.ids, rows);
  part.table.parts = table.parts;
  part.views = data.views;
  for (const MatrixView& view : data.matrices) {
    auto matrix = std::make_shared<const Matrix>(sub_matrix(*view.matrix, rows, against));
    part.matrices.push_back({view.name, view.kind, std::move(matrix)});
  }
  return part;
}

}  // namespace kernmix
