#include "data/arrays/sparse.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

[[noreturn]] void refuse_sparse(const std::string& path) {
  throw DataError(path +
                  ": the sparse matrix is damaged: its indices do not fit its shape; save it "
                  "again");
}

/// The whole number in [0, most].
Index whole(double number, Index most, const std::string& path) {
  if (!(number >= 0.0 && number <= static_cast<double>(most)) || std::floor(number) != number) {
    refuse_sparse(path);
  }
  return static_cast<Index>(number);
}

std::size_t bytes_of(const SparseParts& parts) {
  return sizeof(double) * (parts.values.size() + parts.indices.size() + parts.starts.size());
}

/// Calls add(row, column, value) for each entry, in the order of the file.
template <typename Add>
void for_each_entry(SparseForm form, const SparseParts& parts, Index rows, Index columns,
                    const std::string& path, const Context& context, const Add& add) {
  const Index count = length(parts.values);
  const bool by_columns = form == SparseForm::columns;
  const Index majors = by_columns ? columns : rows;
  const Index minors = by_columns ? rows : columns;
  const bool coordinates = form == SparseForm::coordinates;
  const Index starts = coordinates ? count : majors + 1;
  if (length(parts.indices) != count || length(parts.starts) != starts) refuse_sparse(path);
  const auto pass = [&](Index major, Index k) {
    const Index minor = whole(parts.indices[to_size(k)], minors - 1, path);
    add(by_columns ? minor : major, by_columns ? major : minor, parts.values[to_size(k)]);
  };
  if (coordinates) {
    for (Index k = 0; k < count; ++k) pass(whole(parts.starts[to_size(k)], rows - 1, path), k);
    return;
  }
  Index k = whole(parts.starts.front(), 0, path);
  for (Index major = 0; major < majors; ++major) {
    stop_reading_if_asked(path, context);
    const Index end = whole(parts.starts[to_size(major + 1)], count, path);
    if (end < k) refuse_sparse(path);
    for (; k < end; ++k) pass(major, k);
  }
  if (k != count) refuse_sparse(path);
}

}  // namespace

SparseMatrix sparse_numbers(const StoredSparse& stored, Index rows, Index columns,
                            const std::string& path, const Context& context) {
  struct Entry {
    Index row, column;
    double value;
  };
  const std::size_t count = stored.parts.values.size();
  constexpr std::size_t each = sizeof(Entry) + sizeof(double) + sizeof(std::int32_t);
  require_memory_of_bytes(path, stored.held + bytes_of(stored.parts) + count * each, context);
  std::vector<Entry> entries;
  entries.reserve(count);
  for_each_entry(stored.form, stored.parts, rows, columns, path, context,
                 [&](Index i, Index j, double value) {
                   entries.push_back({i, j, value});
                 });
  std::ranges::stable_sort(entries, {}, [](const Entry& e) { return std::pair(e.row, e.column); });
  SparseMatrix matrix;
  matrix.cols = columns;
  std::size_t next = 0;
  for (Index i = 0; i < rows; ++i) {
    while (next < count && entries[next].row == i) {
      const Index column = entries[next].column;
      double sum = 0.0;
      for (; next < count && entries[next].row == i && entries[next].column == column; ++next) {
        sum += entries[next].value;
      }
      matrix.add(column, sum);
    }
    matrix.end_row();
  }
  return matrix;
}

Vector dense_numbers(const StoredSparse& stored, Index rows, Index columns, const std::string& path,
                     const Context& context) {
  if (rows < 1 || columns < 1) throw DataError(path + ": the matrix is empty");
  require_table_memory(path, rows, columns, context.memory_bytes,
                       stored.held + bytes_of(stored.parts));
  Vector numbers(to_size(rows * columns), 0.0);
  for_each_entry(
      stored.form, stored.parts, rows, columns, path, context,
      [&](Index i, Index j, double value) { numbers[to_size(i * columns + j)] += value; });
  return numbers;
}

}  // namespace kernmix
