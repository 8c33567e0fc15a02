#include "kernmix/given_matrix.hpp"

#include <algorithm>
#include <utility>

#include "base/samples.hpp"

namespace kernmix {

Index GivenMatrix::rows() const { return memory_ ? memory_->rows : reader_ ? reader_->rows() : 0; }
Index GivenMatrix::cols() const { return memory_ ? memory_->cols : reader_ ? reader_->cols() : 0; }

std::size_t GivenMatrix::bytes() const {
  if (memory_) return memory_->values.size_bytes();
  return factor() != nullptr ? factor()->F.values.size() * sizeof(double) : 0;
}

const MatrixNames& GivenMatrix::names() const {
  static const MatrixNames nothing;
  return names_ ? *names_ : nothing;
}

void GivenMatrix::set_names(MatrixNames names) {
  names_ = std::make_shared<const MatrixNames>(std::move(names));
}

Matrix GivenMatrix::whole() const {
  const std::vector<Index> all = all_samples(std::max(rows(), cols()));
  const std::span<const Index> index(all);
  Matrix matrix(rows(), cols());
  block(index.first(static_cast<std::size_t>(rows())),
        index.first(static_cast<std::size_t>(cols())), matrix.values);
  return matrix;
}

void GivenMatrix::block(std::span<const Index> rows, std::span<const Index> cols,
                        MutableSpan out) const {
  if (!memory_) return reader_->block(rows, cols, out);
  const bool whole = consecutive(cols);
  double* entry = out.data();
  for (const Index i : rows) {
    const ConstSpan row = memory_->row(i);
    if (whole && !cols.empty()) {
      entry = std::copy_n(row.begin() + cols.front(), cols.size(), entry);
      continue;
    }
    for (const Index j : cols) *entry++ = row[static_cast<std::size_t>(j)];
  }
}

}  // namespace kernmix
