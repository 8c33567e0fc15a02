#pragma once
/// \file
/// Products of symmetric matrices with many vectors at once, the rows of A (T x n), from the tiles
/// of their lower triangles: with L the lower triangle of K, its diagonal D included,
///
///   A_t K A_t' = 2 A_t L A_t' - A_t D A_t',    A K = A L' + A L - A D.
///
/// `add(tile, entries)` adds the entries of a tile with column <= row to zeros, row-major.

#include "bank/packed/tiles.hpp"
#include "base/linear_algebra.hpp"

namespace kernmix {

/// A few vectors one by one are faster than by tiles of kernels in double precision.
constexpr Index few_vectors = 4;

inline Eigen::Map<const RowMatrix> as_matrix(const Panel& A) { return {A.values, A.rows, A.cols}; }

/// Tiles are shared out in so many parts, whatever the number of threads; each has its own sums.
constexpr Index panel_parts = 8;

/// Calls body(tile, entries) for every tile of part `part`.
template <typename AddTile, typename Body>
void for_tiles_of_part(const std::vector<Tile>& tiles, Index part, const AddTile& add,
                       const Body& body) {
  Vector entries;
  for (Index t = part; t < length(tiles); t += panel_parts) {
    const Tile& tile = tiles[static_cast<std::size_t>(t)];
    entries.assign(static_cast<std::size_t>(tile.rows() * tile.cols()), 0.0);
    add(tile, MutableSpan(entries));
    body(tile, Eigen::Map<const RowMatrix>(entries.data(), tile.rows(), tile.cols()));
  }
}

/// The columns of A that the diagonal entries of a tile belong to: [first, first + count).
struct DiagonalRange {
  explicit DiagonalRange(const Tile& tile)
      : first(std::max(tile.row_begin, tile.col_begin)),
        count(std::max<Index>(std::min(tile.row_end, tile.col_end) - first, 0)) {}
  Index first, count;
};

/// q[t] += A_t K A_t' from the tiles of one part.
template <typename AddTile>
void add_panel_forms(const std::vector<Tile>& tiles, Index part, const Panel& A, MutableSpan q,
                     const AddTile& add) {
  const auto all = as_matrix(A);
  auto sum = as_vector(q);
  for_tiles_of_part(tiles, part, add, [&](const Tile& tile, const auto& K) {
    const RowMatrix product = all.middleCols(tile.col_begin, tile.cols()) * K.transpose();
    sum += 2.0 * (product.array() * all.middleCols(tile.row_begin, tile.rows()).array())
                     .rowwise()
                     .sum()
                     .matrix();
    const DiagonalRange diagonal(tile);
    for (Index i = diagonal.first; i < diagonal.first + diagonal.count; ++i) {
      sum -= K(i - tile.row_begin, i - tile.col_begin) * all.col(i).array().square().matrix();
    }
  });
}

/// Z += A K from the tiles of one part.
template <typename AddTile>
void add_panel_product(const std::vector<Tile>& tiles, Index part, const Panel& A, RowMatrix& Z,
                       const AddTile& add) {
  const auto all = as_matrix(A);
  for_tiles_of_part(tiles, part, add, [&](const Tile& tile, const auto& K) {
    Z.middleCols(tile.row_begin, tile.rows()).noalias() +=
        all.middleCols(tile.col_begin, tile.cols()) * K.transpose();
    Z.middleCols(tile.col_begin, tile.cols()).noalias() +=
        all.middleCols(tile.row_begin, tile.rows()) * K;
    const DiagonalRange diagonal(tile);
    for (Index i = diagonal.first; i < diagonal.first + diagonal.count; ++i) {
      Z.col(i) -= K(i - tile.row_begin, i - tile.col_begin) * all.col(i);
    }
  });
}

/// A K, summed over the parts in order.
template <typename AddTile>
Matrix panel_product_of(Index n, const Panel& A, const Context& context, const AddTile& add) {
  const std::vector<Tile> tiles = lower_tiles(n);
  std::vector<RowMatrix> parts(static_cast<std::size_t>(panel_parts));
  parallel_for(context, panel_parts, [&](Index part) {
    RowMatrix& Z = parts[static_cast<std::size_t>(part)];
    Z.setZero(A.rows, n);
    add_panel_product(tiles, part, A, Z, add);
  });
  Matrix Z(A.rows, n);
  for (const RowMatrix& part : parts) as_matrix(Z) += part;
  return Z;
}

/// Entry (t, k): A_t K_k A_t' >= 0 for `kernels` matrices, add(k, tile, entries) as above.
template <typename AddTile>
Matrix panel_forms_of(Index n, Index kernels, const Panel& A, const Context& context,
                      const AddTile& add) {
  const std::vector<Tile> tiles = lower_tiles(n);
  Matrix parts(kernels * panel_parts, A.rows);
  parallel_for(context, parts.rows, [&](Index task) {
    const Index k = task / panel_parts;
    add_panel_forms(tiles, task % panel_parts, A, parts.row(task),
                    [&](const Tile& tile, MutableSpan entries) { add(k, tile, entries); });
  });
  Matrix Q(A.rows, kernels);
  for (Index k = 0; k < kernels; ++k) {
    const auto sums = as_matrix(parts).middleRows(k * panel_parts, panel_parts).colwise().sum();
    for (Index t = 0; t < A.rows; ++t) Q(t, k) = std::max(sums[t], 0.0);
  }
  return Q;
}

}  // namespace kernmix
