#pragma once
/// \file
/// A symmetric matrix filled tile by tile.

#include <algorithm>
#include <vector>

#include "kernel/bank/stack.hpp"
#include "parallel.hpp"

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

/// Fills the full symmetric n x n row-major matrix `out`. `add(tile, sum)` adds the entries of a
/// tile to `sum` (zero on entry, double precision, row-major); only those with column <= row are
/// used, and written on both sides of the diagonal.
template <typename T, typename AddTile>
void fill_symmetric(Index n, std::span<T> out, const Context& context, const AddTile& add) {
  constexpr Index columns_together = 16;
  const std::vector<Tile> tiles = lower_tiles(n);
  parallel_for(context, length(tiles), [&](Index t) {
    const Tile& tile = tiles[static_cast<std::size_t>(t)];
    Vector sum(static_cast<std::size_t>(tile.rows() * tile.cols()), 0.0);
    add(tile, MutableSpan(sum));
    const auto entry = [&](Index i, Index j) {
      return static_cast<T>(
          sum[static_cast<std::size_t>((i - tile.row_begin) * tile.cols() + j - tile.col_begin)]);
    };
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      T* row = out.data() + i * n;
      const Index end = std::min(tile.col_end, i + 1);
      for (Index j = tile.col_begin; j < end; ++j) row[j] = entry(i, j);
    }
    // Few columns at a time: their lines of `out` stay in the cache while `sum` is read by rows.
    for (Index left = tile.col_begin; left < tile.col_end; left += columns_together) {
      const Index right = std::min(left + columns_together, tile.col_end);
      for (Index i = std::max(tile.row_begin, left + 1); i < tile.row_end; ++i) {
        const Index end = std::min(right, i);
        for (Index j = left; j < end; ++j) out[static_cast<std::size_t>(j * n + i)] = entry(i, j);
      }
    }
  });
}

}  // namespace kernmix
