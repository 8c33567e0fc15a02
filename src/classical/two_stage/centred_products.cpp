#include "classical/two_stage/centred_products.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "weights/memory.hpp"

namespace kernmix {
namespace {

constexpr Index largest_side = 64;
constexpr Index kernels_per_block = 128;

struct Square {
  Index row_begin, row_end;
  Index col_begin, col_end;
  [[nodiscard]] Index rows() const { return row_end - row_begin; }
  [[nodiscard]] Index cols() const { return col_end - col_begin; }
};

/// Square tiles on and below the diagonal, small enough that one tile of every kernel fits in 64
/// MiB.
std::vector<Square> square_tiles(Index n, Index M) {
  constexpr double most_doubles = 8.0 * 1024.0 * 1024.0;
  const auto fitting = static_cast<Index>(std::sqrt(most_doubles / static_cast<double>(M)));
  const Index side = std::clamp<Index>(fitting, 8, largest_side);
  std::vector<Square> tiles;
  for (Index row = 0; row < n; row += side) {
    for (Index col = 0; col <= row; col += side) {
      tiles.push_back({row, std::min(row + side, n), col, std::min(col + side, n)});
    }
  }
  return tiles;
}

/// Computes the entries of centred kernels tile by tile.
class CentredKernels {
 public:
  CentredKernels(const KernelBank& bank, const Context& context) : bank_(bank), n_(bank.samples()) {
    const Vector mean(static_cast<std::size_t>(n_), 1.0 / static_cast<double>(n_));
    row_means_ = bank.products(every_kernel(bank), mean, Reach::everywhere, context).rows;
    for (Index m = 0; m < bank.kernels(); ++m) {
      const ConstSpan r = row_means_.row(m);
      means_.push_back(std::accumulate(r.begin(), r.end(), 0.0) / static_cast<double>(n_));
    }
  }

  /// `out` = K_m^c at `tile`; entries off the diagonal times sqrt 2 and those above it 0, so that
  /// products over the lower triangle are those over the whole matrix.
  void fill(Index m, const Square& tile, MutableSpan out) const {
    bank_.block(m, index_range(tile.row_begin, tile.row_end),
                index_range(tile.col_begin, tile.col_end), out);
    const ConstSpan r = row_means_.row(m);
    double* entry = out.data();
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const double shift = r[static_cast<std::size_t>(i)] - means_[static_cast<std::size_t>(m)];
      for (Index j = tile.col_begin; j < tile.col_end; ++j, ++entry) {
        const double centred = *entry - shift - r[static_cast<std::size_t>(j)];
        *entry = i > j ? std::numbers::sqrt2 * centred : (i == j ? centred : 0.0);
      }
    }
  }

  /// Norms below this are rounding errors of a constant kernel.
  [[nodiscard]] double negligible_norm(Index m) const {
    const ConstSpan r = row_means_.row(m);
    const auto [low, high] = std::ranges::minmax(r);
    return 1e-12 * static_cast<double>(n_) * std::max(std::abs(low), std::abs(high));
  }

 private:
  const KernelBank& bank_;
  Index n_;
  Matrix row_means_;  ///< M x n
  Vector means_;
};

/// P[rows, cols] += T[rows] T[cols]' for blocks of kernels on and below the diagonal.
void add_products(const RowMatrix& T, Matrix& P, const Context& context) {
  const Index M = T.rows();
  const std::vector<Index> starts = [&] {
    std::vector<Index> all;
    for (Index k = 0; k < M; k += kernels_per_block) all.push_back(k);
    return all;
  }();
  const Index blocks = length(starts);
  auto sum = as_matrix(P);
  parallel_for(context, blocks * blocks, [&](Index pair) {
    const Index k = starts[static_cast<std::size_t>(pair / blocks)];
    const Index l = starts[static_cast<std::size_t>(pair % blocks)];
    if (l > k) return;
    const Index rows = std::min(kernels_per_block, M - k);
    const Index cols = std::min(kernels_per_block, M - l);
    sum.block(k, l, rows, cols).noalias() +=
        T.middleRows(k, rows) * T.middleRows(l, cols).transpose();
  });
}

}  // namespace

Matrix centred_products(const KernelBank& bank, const Context& context) {
  const Index M = bank.kernels();
  const std::vector<Square> tiles = square_tiles(bank.samples(), M);
  const Index entries = tiles.front().rows() * tiles.front().cols();
  require_room(bank, static_cast<std::size_t>(M * (bank.samples() + M + entries)) * sizeof(double),
               "alignment multiplies each kernel with each", context);
  const CentredKernels kernels(bank, context);
  Matrix P(M, M);
  RowMatrix T(M, entries);
  for (const Square& tile : tiles) {
    stop_if_asked(context);
    const Index size = tile.rows() * tile.cols();
    if (size != T.cols()) T.resize(M, size);
    parallel_for(context, M, [&](Index m) {
      kernels.fill(m, tile, MutableSpan(T.row(m).data(), static_cast<std::size_t>(size)));
    });
    add_products(T, P, context);
  }
  for (Index k = 0; k < M; ++k) {
    const double limit = kernels.negligible_norm(k);
    if (P(k, k) <= limit * limit) P(k, k) = 0.0;
    for (Index l = 0; l < k; ++l) P(l, k) = P(k, l);
  }
  return P;
}

Vector centred_norms(const KernelBank& bank, const Context& context) {
  const CentredKernels kernels(bank, context);
  Vector norms(static_cast<std::size_t>(bank.kernels()));
  parallel_for(context, bank.kernels(), [&](Index m) {
    double sum = 0.0;
    Vector entries;
    for (const Square& tile : square_tiles(bank.samples(), 1)) {
      stop_if_asked(context);
      entries.resize(static_cast<std::size_t>(tile.rows() * tile.cols()));
      kernels.fill(m, tile, entries);
      sum += std::inner_product(entries.begin(), entries.end(), entries.begin(), 0.0);
    }
    const double norm = std::sqrt(sum);
    norms[static_cast<std::size_t>(m)] = norm <= kernels.negligible_norm(m) ? 0.0 : norm;
  });
  return norms;
}

}  // namespace kernmix
