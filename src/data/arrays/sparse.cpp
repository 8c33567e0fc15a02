#include "data/arrays/sparse.hpp"

#include <cmath>

#include "data/file.hpp"
#include "kernmix/error.hpp"

namespace kernmix {
namespace {

[[noreturn]] void refuse(const std::string& path) {
  throw DataError(path +
                  ": the sparse matrix is damaged: its indices do not fit its shape; save it "
                  "again");
}

/// The whole number in [0, most].
Index whole(double number, Index most, const std::string& path) {
  if (!(number >= 0.0 && number <= static_cast<double>(most)) || std::floor(number) != number) {
    refuse(path);
  }
  return static_cast<Index>(number);
}

}  // namespace

Vector dense_numbers(SparseForm form, const SparseParts& parts, Index rows, Index columns,
                     const std::string& path, const Context& context) {
  if (rows < 1 || columns < 1) throw DataError(path + ": the matrix is empty");
  require_table_memory(path, rows, columns, context.memory_bytes,
                       3 * sizeof(double) * parts.values.size());
  const Index count = length(parts.values);
  const Index majors = form == SparseForm::columns ? columns : rows;
  const Index minors = form == SparseForm::columns ? rows : columns;
  const bool coordinates = form == SparseForm::coordinates;
  const Index starts = coordinates ? count : majors + 1;
  if (length(parts.indices) != count || length(parts.starts) != starts) refuse(path);
  Vector numbers(to_size(rows * columns), 0.0);
  const auto add = [&](Index major, Index k) {
    const Index minor = whole(parts.indices[to_size(k)], minors - 1, path);
    const bool by_columns = form == SparseForm::columns;
    const Index place = by_columns ? minor * columns + major : major * columns + minor;
    numbers[to_size(place)] += parts.values[to_size(k)];
  };
  if (coordinates) {
    for (Index k = 0; k < count; ++k) add(whole(parts.starts[to_size(k)], rows - 1, path), k);
    return numbers;
  }
  Index k = whole(parts.starts.front(), 0, path);
  for (Index major = 0; major < majors; ++major) {
    stop_reading_if_asked(path, context);
    const Index end = whole(parts.starts[to_size(major + 1)], count, path);
    if (end < k) refuse(path);
    for (; k < end; ++k) add(major, k);
  }
  if (k != count) refuse(path);
  return numbers;
}

}  // namespace kernmix
