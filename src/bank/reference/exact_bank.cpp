#include <algorithm>

#include "bank/packed/tiles.hpp"
#include "bank/plan.hpp"
#include "bank/reference/source_rows.hpp"
#include "base/parallel.hpp"
#include "base/simd.hpp"
#include "kernmix/bank/bank.hpp"

namespace kernmix {
namespace {

constexpr Index rows_at_once = 64;
constexpr Index cols_per_block = 128;

std::span<const Index> part(std::span<const Index> index, Index begin, Index end) {
  return index.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

/// The samples at which some row of a panel is not zero, or all of them, and the panel there.
struct PanelSupport {
  PanelSupport(const Matrix& A, bool all) {
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

/// Evaluates what it is asked for and forgets it.
class ExactBank final : public KernelBank {
 public:
  explicit ExactBank(std::vector<KernelSourcePtr> sources) : sources_(std::move(sources)) {
    check_sources(sources_);
    for (Index i = 0; i < samples(); ++i) all_.push_back(i);
  }

  [[nodiscard]] Index samples() const override { return sources_.front()->rows(); }
  [[nodiscard]] Index kernels() const override { return length(sources_); }
  [[nodiscard]] std::size_t bytes() const override { return 0; }

  void quadratic_forms(ConstSpan a, MutableSpan q, const Context& context) const override {
    Matrix A(1, samples());
    std::ranges::copy(a, A.values.begin());
    std::ranges::copy(panel_forms(A, context).values, q.begin());
  }

  /// Entries are evaluated once for all rows of A. Those that lie in memory are read in rows, as
  /// they are there.
  [[nodiscard]] Matrix panel_forms(const Matrix& A, const Context& context) const override {
    const bool stored =
        std::ranges::all_of(sources_, [](const auto& source) { return bool(source->stored()); });
    const PanelSupport support(A, stored);
    const std::vector<Tile> tiles = lower_tiles(length(support.index));
    const Index count = length(tiles);
    Matrix parts(kernels() * count, A.rows);
    parallel_for(context, parts.rows, [&](Index task) {
      add_quadratic_parts(*sources_[static_cast<std::size_t>(task / count)], support,
                          tiles[static_cast<std::size_t>(task % count)], parts.row(task));
    });
    Matrix Q(A.rows, kernels());
    for (Index t = 0; t < A.rows; ++t) {
      for (Index m = 0; m < kernels(); ++m) {
        for (Index k = m * count; k < (m + 1) * count; ++k) Q(t, m) += parts(k, t);
        Q(t, m) = std::max(Q(t, m), 0.0);
      }
    }
    return Q;
  }

  void apply(ConstSpan d, ConstSpan a, MutableSpan z, const Context& context) const override {
    const DualVector dual(a);
    std::ranges::fill(z, 0.0);
    parallel_for(context, blocks(), [&](Index b) {
      for (std::size_t m = 0; m < sources_.size(); ++m) {
        if (d[m] != 0.0) add_product(*sources_[m], d[m], dual, b, z);
      }
    });
  }

  void apply_each(std::span<const Index> subset, ConstSpan a, MutableSpan u,
                  const Context& context) const override {
    const DualVector dual(a);
    const auto n = static_cast<std::size_t>(samples());
    std::ranges::fill(u, 0.0);
    parallel_for(context, length(subset) * blocks(), [&](Index task) {
      const auto k = static_cast<std::size_t>(task / blocks());
      add_product(*sources_[static_cast<std::size_t>(subset[k])], 1.0, dual, task % blocks(),
                  u.subspan(k * n, n));
    });
  }

  void combine(ConstSpan d, std::span<float> out, const Context& context) const override {
    fill_symmetric(samples(), out, context,
                   [&](const Tile& tile, MutableSpan sum) { add_tile(d, all_, tile, sum); });
  }

  void combine_block(ConstSpan d, std::span<const Index> index, MutableSpan out,
                     const Context& context) const override {
    fill_symmetric(length(index), out, context,
                   [&](const Tile& tile, MutableSpan sum) { add_tile(d, index, tile, sum); });
  }

  void block(Index m, std::span<const Index> rows, std::span<const Index> cols,
             MutableSpan out) const override {
    sources_[static_cast<std::size_t>(m)]->block(rows, cols, out);
  }

 private:
  [[nodiscard]] Index blocks() const { return blocks_of(samples(), cols_per_block); }

  /// sums[t] += the part of a' K a of one tile of the lower triangle, a = row t of the panel: of
  /// the entries left of the diagonal as sum_j a_j z_j, z_j = sum_i a_i K_ij, which needs no sum of
  /// a row.
  static void add_quadratic_parts(const KernelSource& source, const PanelSupport& support,
                                  const Tile& tile, MutableSpan sums) {
    constexpr Index together = 4;
    const SourceRows K(source, part(support.index, tile.row_begin, tile.row_end),
                       part(support.index, tile.col_begin, tile.col_end));
    const Matrix& a = support.values;
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
          diagonal[static_cast<std::size_t>(t)] +=
              weight(k) * weight(k) * row(k)[i - tile.col_begin];
        }
      }
    }
    for (Index t = 0; t < a.rows; ++t) {
      const auto at = static_cast<std::size_t>(t);
      const double product = simd::dot(Z.row(t).data(), a.row(t).data() + tile.col_begin, Z.cols);
      sums[at] += K.scale() * (2.0 * product + diagonal[at]);
    }
  }

  /// Those of a tile at which some row of the panel is not zero.
  static std::vector<Index> rows_to_read(const Matrix& a, const Tile& tile) {
    std::vector<Index> rows;
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      bool zero = true;
      for (Index t = 0; zero && t < a.rows; ++t) zero = a(t, i) == 0.0;
      if (!zero) rows.push_back(i);
    }
    return rows;
  }

  /// z += weight K a at block b of z: by symmetry from the rows of the support, which lie in one
  /// piece where a source is a matrix in memory.
  void add_product(const KernelSource& source, double weight, const DualVector& a, Index b,
                   MutableSpan z) const {
    const Index begin = b * cols_per_block;
    const Index end = std::min(begin + cols_per_block, samples());
    const Index support = length(a.support);
    for (Index row = 0; row < support; row += rows_at_once) {
      const Index row_end = std::min(row + rows_at_once, support);
      const SourceRows K(source, part(a.support, row, row_end), part(all_, begin, end));
      for (Index k = row; k < row_end; ++k) {
        simd::add_scaled(weight * K.scale() * a.values[static_cast<std::size_t>(k)], K[k - row],
                         z.data() + begin, end - begin);
      }
    }
  }

  /// sum += K(d)[index, index] at `tile`.
  void add_tile(ConstSpan d, std::span<const Index> index, const Tile& tile,
                MutableSpan sum) const {
    Vector K(sum.size());
    for (std::size_t m = 0; m < sources_.size(); ++m) {
      if (d[m] == 0.0) continue;
      sources_[m]->block(part(index, tile.row_begin, tile.row_end),
                         part(index, tile.col_begin, tile.col_end), K);
      simd::add_scaled(d[m], K.data(), sum.data(), length(K));
    }
  }

  std::vector<KernelSourcePtr> sources_;
  std::vector<Index> all_;
};

}  // namespace

std::unique_ptr<KernelBank> exact_bank(std::vector<KernelSourcePtr> sources) {
  return std::make_unique<ExactBank>(std::move(sources));
}

}  // namespace kernmix
