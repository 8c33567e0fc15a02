#pragma once
/// \file
/// The few plain types that every part of kernmix shares. No linear algebra library appears in a
/// public header: a user's file that includes kernmix compiles in about a second.

#include <cstddef>
#include <span>
#include <vector>

namespace kernmix {

/// Signed size and position, so that differences and reversed loops are safe.
using Index = std::ptrdiff_t;

/// An Index >= 0 where the standard library wants a size: v[to_size(i)].
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
