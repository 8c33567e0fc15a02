#include "bank/reference/entries.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "bank/packed/panel.hpp"
#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

constexpr Index rows_at_once = 64;
constexpr Index cols_per_block = 128;

/// The samples at which some row of a panel is not zero, or all of them, and the panel there.
struct PanelSupport {
  PanelSupport(const Panel& A, bool all) {
    for (Index i = 0; i < A.cols; ++i) {
      bool zero = !all;
      for (Index t = 0; zero && t < A.rows; ++t) zero = A(t, i) == 0.0;
      if (!zero) index.push_back(i);
    }
    values = Matrix(A.rows, length(index));
    for (Index t = 0; t < A.rows; ++t) {
      for (Index k = 0; k < values.cols; ++k) {
        values(t, k) = A(t, index[static_cast<std::size_t>(k)]);
      }
    }
  }

  std::vector<Index> index;
  Matrix values;
};

/// Those of a tile at which some row of the panel is not zero.
std::vector<Index> rows_to_read(const Matrix& a, const Tile& tile) {
  std::vector<Index> rows;
  for (Index i = tile.row_begin; i < tile.row_end; ++i) {
    bool zero = true;
    for (Index t = 0; zero && t < a.rows; ++t) zero = a(t, i) == 0.0;
    if (!zero) rows.push_back(i);
  }
  return rows;
}

/// sums[t] += the part of a' K a of one tile of the lower triangle, a = row t of the panel: of the
/// entries left of the diagonal as sum_j a_j z_j, z_j = sum_i a_i K_ij, which needs no sum of a
/// row.
void add_forms(const SourceRows& K, const Matrix& a, const Tile& tile, MutableSpan sums) {
  constexpr Index together = 4;
  const std::vector<Index> rows = rows_to_read(a, tile);
  const auto row = [&](Index r) { return K[rows[static_cast<std::size_t>(r)] - tile.row_begin]; };
  const auto left = [&](Index r) {
    const Index i = rows[static_cast<std::size_t>(r)];
    return std::max<Index>(std::min(i, tile.col_end) - tile.col_begin, 0);
  };
  Matrix Z(a.rows, tile.cols());
  Vector diagonal(sums.size(), 0.0);
  for (Index r = 0; r < length(rows); r += together) {
    for (Index t = 0; t < a.rows; ++t) {
      const auto weight = [&](Index k) { return a(t, rows[static_cast<std::size_t>(k)]); };
      double* z = Z.row(t).data();
      simd::add_scaled(simd::four_rows<double>(r, length(rows), row, weight), z, left(r));
      for (Index k = r; k < std::min(r + together, length(rows)); ++k) {
        for (Index j = left(r); j < left(k); ++j) z[j] += weight(k) * row(k)[j];
        const Index i = rows[static_cast<std::size_t>(k)];
        if (tile.col_begin > i || i >= tile.col_end) continue;
        diagonal[static_cast<std::size_t>(t)] += weight(k) * weight(k) * row(k)[i - tile.col_begin];
      }
    }
  }
  for (Index t = 0; t < a.rows; ++t) {
    const auto at = static_cast<std::size_t>(t);
    const double product = simd::dot(Z.row(t).data(), a.row(t).data() + tile.col_begin, Z.cols);
    sums[at] += K.scale() * (2.0 * product + diagonal[at]);
  }
}

/// KernelEntries are evaluated once for all rows of A.
Matrix forms_of_entries(const KernelEntries& K, std::span<const Index> subset, const Panel& A,
                        const Context& context) {
  const PanelSupport support(A, K.in_memory);
  const std::vector<Tile> tiles = lower_tiles(length(support.index));
  const Index count = length(tiles);
  Matrix parts(length(subset) * count, A.rows);
  parallel_for(context, parts.rows, [&](Index task) {
    const Tile& tile = tiles[static_cast<std::size_t>(task % count)];
    const SourceRows entries = K.read(subset[static_cast<std::size_t>(task / count)],
                                      slice(support.index, tile.row_begin, tile.row_end),
                                      slice(support.index, tile.col_begin, tile.col_end));
    add_forms(entries, support.values, tile, parts.row(task));
  });
  Matrix Q(A.rows, length(subset));
  for (Index t = 0; t < Q.rows; ++t) {
    for (Index k = 0; k < Q.cols; ++k) {
      for (Index p = k * count; p < (k + 1) * count; ++p) Q(t, k) += parts(p, t);
      Q(t, k) = std::max(Q(t, k), 0.0);
    }
  }
  return Q;
}

/// z_t += weight K_m a_t at block b of the samples for all t: by symmetry from the rows of the
/// support, which lie in one piece where a source is a matrix in memory.
template <typename RowOf>
void add_products(const KernelEntries& K, Index m, double weight, const PanelSupport& a, Index b,
                  const RowOf& z) {
  const std::vector<Index> cols =
      index_range(b * cols_per_block, std::min((b + 1) * cols_per_block, K.samples));
  const Index support = length(a.index);
  for (Index row = 0; row < support; row += rows_at_once) {
    const Index row_end = std::min(row + rows_at_once, support);
    const SourceRows entries = K.read(m, slice(a.index, row, row_end), cols);
    for (Index t = 0; t < a.values.rows; ++t) {
      for (Index k = row; k < row_end; ++k) {
        if (a.values(t, k) == 0.0) continue;
        simd::add_scaled(weight * entries.scale() * a.values(t, k), entries[k - row],
                         z(t) + cols.front(), length(cols));
      }
    }
  }
}

class CombinedEntries final : public Combined {
 public:
  CombinedEntries(KernelEntries K, ConstSpan d) : K_(std::move(K)), d_(d.begin(), d.end()) {}

  [[nodiscard]] Index samples() const override { return K_.samples; }

  [[nodiscard]] Matrix times(const Panel& A, const Context& context) const override {
    const SerialBlas serial;
    if (A.rows >= few_vectors) {
      const std::vector<Index> all = all_samples(K_.samples);
      return panel_product_of(K_.samples, A, context,
                              [&](const Tile& tile, MutableSpan sum) { add_tile(all, tile, sum); });
    }
    const PanelSupport support(A, false);
    Matrix Z(A.rows, K_.samples);
    parallel_for(context, blocks_of(K_.samples, cols_per_block), [&](Index b) {
      for (Index m = 0; m < K_.kernels; ++m) {
        const double weight = d_[static_cast<std::size_t>(m)];
        if (weight == 0.0) continue;
        add_products(K_, m, weight, support, b, [&](Index t) { return Z.row(t).data(); });
      }
    });
    return Z;
  }

  void matrix(std::span<const Index> on, std::span<float> out,
              const Context& context) const override {
    fill(on, out, context);
  }
  void matrix(std::span<const Index> on, MutableSpan out, const Context& context) const override {
    fill(on, out, context);
  }

 private:
  template <typename T>
  void fill(std::span<const Index> on, std::span<T> out, const Context& context) const {
    fill_symmetric(length(on), out, context,
                   [&](const Tile& tile, MutableSpan sum) { add_tile(on, tile, sum); });
  }

  /// sum += K(d)[on, on] at `tile`, at and below the diagonal.
  void add_tile(std::span<const Index> on, const Tile& tile, MutableSpan sum) const {
    for (Index m = 0; m < K_.kernels; ++m) {
      const double weight = d_[static_cast<std::size_t>(m)];
      if (weight == 0.0) continue;
      const SourceRows entries = K_.read(m, slice(on, tile.row_begin, tile.row_end),
                                         slice(on, tile.col_begin, tile.col_end));
      for (Index r = 0; r < tile.rows(); ++r) {
        const Index end = std::min(tile.row_begin + r + 1, tile.col_end);
        simd::add_scaled(weight * entries.scale(), entries[r], sum.data() + r * tile.cols(),
                         std::max<Index>(end - tile.col_begin, 0));
      }
    }
  }

  KernelEntries K_;
  Vector d_;
};

}  // namespace

Matrix forms_of_rows(const Matrix& rows, const Panel& A) {
  Matrix forms(A.rows, rows.rows / A.rows);
  for (Index r = 0; r < rows.rows; ++r) {
    const ConstSpan u = rows.row(r);
    const ConstSpan a = A.row(r % A.rows);
    forms(r % A.rows, r / A.rows) =
        std::max(std::inner_product(u.begin(), u.end(), a.begin(), 0.0), 0.0);
  }
  return forms;
}

Products products_of_entries(const KernelEntries& K, std::span<const Index> subset, const Panel& A,
                             Reach reach, const Context& context) {
  if (reach != Reach::everywhere) return {forms_of_entries(K, subset, A, context), {}};
  const PanelSupport support(A, false);
  const Index blocks = blocks_of(K.samples, cols_per_block);
  Matrix U(length(subset) * A.rows, K.samples);
  parallel_for(context, length(subset) * blocks, [&](Index task) {
    const Index k = task / blocks;
    add_products(K, subset[static_cast<std::size_t>(k)], 1.0, support, task % blocks,
                 [&](Index t) { return U.row(k * A.rows + t).data(); });
  });
  Matrix forms = forms_of_rows(U, A);
  return {std::move(forms), std::move(U)};
}

std::unique_ptr<Combined> combined_entries(KernelEntries K, ConstSpan d) {
  return std::make_unique<CombinedEntries>(std::move(K), d);
}

}  // namespace kernmix
