#pragma once
/// \file
/// A symmetric matrix filled tile by tile.

#include <algorithm>
#include <vector>

#include "bank/packed/stack.hpp"
#include "base/parallel.hpp"

namespace kernmix {

/// Tiles that cover the lower triangle of an n x n matrix, largest rows first.
[[nodiscard]] inline std::vector<Tile> lower_tiles(Index n) {
  constexpr Index tile_rows = 64;
  constexpr Index tile_cols = 512;
  std::vector<Tile> tiles;
  for (Index end = n; end > 0; end = (end - 1) / tile_rows * tile_rows) {
    const Index begin = (end - 1) / tile_rows * tile_rows;
    for (Index col = 0; col < end; col += tile_cols) {
      tiles.push_back({begin, end, col, std::min(col + tile_cols, end)});
    }
  }
  return tiles;
}

/// y[j * stride + i] = x[i * stride + j], i, j < side, turned in the first cache.
template <Index side, typename T>
void transpose_square(const T* x, T* y, Index stride) {
  T turned[side][side];
  for (Index i = 0; i < side; ++i) {
    for (Index j = 0; j < side; ++j) turned[j][i] = x[i * stride + j];
  }
  for (Index j = 0; j < side; ++j) std::copy_n(turned[j], side, y + j * stride);
}

/// Copies the entries of a tile below the diagonal to above it.
template <typename T>
void mirror(const Tile& tile, Index n, T* out) {
  constexpr Index side = 16;
  for (Index left = tile.col_begin; left < tile.col_end; left += side) {
    const Index right = std::min(left + side, tile.col_end);
    for (Index top = tile.row_begin; top < tile.row_end; top += side) {
      const Index bottom = std::min(top + side, tile.row_end);
      if (right - left == side && bottom - top == side && right <= top) {
        transpose_square<side>(out + top * n + left, out + left * n + top, n);
        continue;
      }
      for (Index i = std::max(top, left + 1); i < bottom; ++i) {
        for (Index j = left; j < std::min(right, i); ++j) out[j * n + i] = out[i * n + j];
      }
    }
  }
}

/// Fills the full symmetric n x n row-major matrix `out`. `add(tile, sum)` adds the entries of a
/// tile to `sum` (zero on entry, double precision, row-major); only those with column <= row are
/// used, and written on both sides of the diagonal.
template <typename T, typename AddTile>
void fill_symmetric(Index n, std::span<T> out, const Context& context, const AddTile& add) {
  const std::vector<Tile> tiles = lower_tiles(n);
  parallel_for(context, length(tiles), [&](Index t) {
    const Tile& tile = tiles[static_cast<std::size_t>(t)];
    Vector sum(static_cast<std::size_t>(tile.rows() * tile.cols()), 0.0);
    add(tile, MutableSpan(sum));
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const double* entry = sum.data() + (i - tile.row_begin) * tile.cols();
      T* row = out.data() + i * n;
      const Index end = std::min(tile.col_end, i + 1);
      for (Index j = tile.col_begin; j < end; ++j) row[j] = static_cast<T>(*entry++);
    }
    mirror(tile, n, out.data());
  });
}

}  // namespace kernmix
