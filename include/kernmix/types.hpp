#pragma once
/// \file
/// The basic types of kernmix. Public headers do not include a linear algebra library, so a user's
/// file that includes kernmix compiles in about a second.

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace kernmix {

/// Signed size and position, so that differences and reversed loops are safe.
using Index = std::ptrdiff_t;

/// An Index >= 0 as a size of the standard library: v[to_size(i)].
[[nodiscard]] constexpr std::size_t to_size(Index n) { return static_cast<std::size_t>(n); }

/// An owned dense vector.
using Vector = std::vector<double>;

/// A borrowed dense vector; valid for the duration of the call it is passed to.
using ConstSpan = std::span<const double>;
using MutableSpan = std::span<double>;

/// An owned dense matrix, row-major: entry (i, j) is `values[i * cols + j]`.
struct Matrix {
  Index rows = 0;
  Index cols = 0;
  Vector values;

  Matrix() = default;
  Matrix(Index n_rows, Index n_cols)
      : rows(n_rows), cols(n_cols), values(to_size(n_rows * n_cols)) {}

  [[nodiscard]] double& operator()(Index i, Index j) { return values[to_size(i * cols + j)]; }
  [[nodiscard]] double operator()(Index i, Index j) const { return values[to_size(i * cols + j)]; }
  [[nodiscard]] MutableSpan row(Index i) { return {values.data() + i * cols, to_size(cols)}; }
  [[nodiscard]] ConstSpan row(Index i) const { return {values.data() + i * cols, to_size(cols)}; }
};

/// A read-only matrix, row-major: entry (i, j) is `values[i * stride + j]`. Copies share the
/// numbers. The numbers of an lvalue are borrowed, as in ConstSpan, and must outlive all copies.
struct ConstMatrix {
  Index rows = 0;
  Index cols = 0;
  Index stride = 0;                   ///< from one row to the next, >= cols
  ConstSpan values;                   ///< from the first entry to the last
  std::shared_ptr<const void> owner;  ///< owner of the numbers, or null if they are borrowed

  ConstMatrix() = default;
  ConstMatrix(const Matrix& borrowed)
      : rows(borrowed.rows), cols(borrowed.cols), stride(cols), values(borrowed.values) {}
  ConstMatrix(std::shared_ptr<const Matrix> shared) : ConstMatrix(*shared) {
    owner = std::move(shared);
  }
  ConstMatrix(std::shared_ptr<Matrix> shared)
      : ConstMatrix(std::shared_ptr<const Matrix>(std::move(shared))) {}
  ConstMatrix(Matrix&& owned) : ConstMatrix(std::make_shared<const Matrix>(std::move(owned))) {}
  /// \param first  entry (0, 0);  \param keeper  owner of the numbers, or null if the caller keeps
  /// them
  ConstMatrix(const double* first, Index n_rows, Index n_cols, Index row_stride,
              std::shared_ptr<const void> keeper)
      : rows(n_rows), cols(n_cols), stride(row_stride), owner(std::move(keeper)) {
    if (rows > 0 && cols > 0) values = {first, to_size((rows - 1) * stride + cols)};
  }

  [[nodiscard]] double operator()(Index i, Index j) const {
    return values[to_size(i * stride + j)];
  }
  [[nodiscard]] ConstSpan row(Index i) const { return {values.data() + i * stride, to_size(cols)}; }
  /// Columns `first` to `first + count - 1`, in place.
  [[nodiscard]] ConstMatrix columns(Index first, Index count) const {
    return {values.empty() ? nullptr : values.data() + first, rows, count, stride, owner};
  }
  [[nodiscard]] bool contiguous() const { return stride == cols; }
};

/// The length of a container as an Index.
template <typename Container>
[[nodiscard]] constexpr Index length(const Container& container) {
  return static_cast<Index>(container.size());
}

/// True for i, i + 1, i + 2, ...
[[nodiscard]] constexpr bool consecutive(std::span<const Index> index) {
  for (std::size_t k = 1; k < index.size(); ++k) {
    if (index[k] != index[k - 1] + 1) return false;
  }
  return true;
}

}  // namespace kernmix
