#include "kernel/bank/factor_stack.hpp"

#include <algorithm>
#include <cmath>

#include "kernel/bank/simd.hpp"
#include "linear_algebra.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index panel_width = 64;
constexpr Index rows_per_factor_block = 512;
constexpr Index most_product_blocks = 64;

/// Begin of block b of `blocks` of 0 .. n.
Index block_begin(Index n, Index blocks, Index b) { return n * b / blocks; }

Index block_count(Index n) {
  return std::clamp<Index>(n / rows_per_factor_block, 1, most_product_blocks);
}

/// `left` and `right` side by side.
Matrix joined(const Matrix& left, const Matrix& right) {
  Matrix both(left.rows, left.cols + right.cols);
  for (Index i = 0; i < left.rows; ++i) {
    std::ranges::copy(left.row(i), both.row(i).begin());
    std::ranges::copy(right.row(i), both.row(i).begin() + left.cols);
  }
  return both;
}

/// Rows `index(0 .. count-1)` of Z, each column times its weight.
template <typename RowIndex>
RowMatrix scaled_rows(const Matrix& Z, const Vector& weights, Index count, const RowIndex& index) {
  RowMatrix W(count, Z.cols);
  for (Index r = 0; r < count; ++r) {
    const ConstSpan row = Z.row(index(r));
    for (Index c = 0; c < Z.cols; ++c) {
      W(r, c) = row[static_cast<std::size_t>(c)] * weights[static_cast<std::size_t>(c)];
    }
  }
  return W;
}

}  // namespace

void FactorStack::append(Matrix Z) {
  const Index rank = Z.cols;
  if (panels_.empty() || panels_.back().cols + rank > panel_width) {
    places_.push_back({panels_.size(), 0, rank});
    panels_.push_back(std::move(Z));
    return;
  }
  Matrix& panel = panels_.back();
  places_.push_back({panels_.size() - 1, panel.cols, rank});
  if (rank > 0) panel = joined(panel, Z);
}

std::size_t FactorStack::bytes() const {
  std::size_t sum = 0;
  for (const Matrix& panel : panels_) sum += panel.values.size() * sizeof(double);
  return sum;
}

FactorStack::ColumnWeights FactorStack::column_weights(std::span<const Term> terms) const {
  ColumnWeights weights(panels_.size());
  for (const Term& term : terms) {
    const Place& place = places_[static_cast<std::size_t>(term.kernel)];
    Vector& columns = weights[place.panel];
    columns.resize(static_cast<std::size_t>(panels_[place.panel].cols), 0.0);
    for (Index c = 0; c < place.rank; ++c) {
      columns[static_cast<std::size_t>(place.offset + c)] += term.weight;
    }
  }
  return weights;
}

std::vector<Vector> FactorStack::project(const std::vector<std::size_t>& panels,
                                         const DualVector& a, const Context& context) const {
  const Index support = length(a.support);
  const Index blocks = block_count(support);
  std::vector<Vector> parts(panels.size() * static_cast<std::size_t>(blocks));
  parallel_for(context, length(parts), [&](Index task) {
    const Matrix& Z = panels_[panels[static_cast<std::size_t>(task / blocks)]];
    Vector& v = parts[static_cast<std::size_t>(task)];
    v.assign(static_cast<std::size_t>(Z.cols), 0.0);
    const Index end = block_begin(support, blocks, task % blocks + 1);
    for (Index k = block_begin(support, blocks, task % blocks); k < end; ++k) {
      const auto at = static_cast<std::size_t>(k);
      simd::add_scaled(a.values[at], Z.row(a.support[at]).data(), v.data(), Z.cols);
    }
  });
  std::vector<Vector> result(panels_.size());
  for (std::size_t p = 0; p < panels.size(); ++p) {
    Vector* part = &parts[p * static_cast<std::size_t>(blocks)];
    for (Index b = 1; b < blocks; ++b) {
      for (std::size_t c = 0; c < part->size(); ++c) (*part)[c] += part[b][c];
    }
    result[panels[p]] = std::move(*part);
  }
  return result;
}

void FactorStack::quadratic_forms(const DualVector& a, MutableSpan q,
                                  const Context& context) const {
  std::vector<std::size_t> all(panels_.size());
  for (std::size_t p = 0; p < all.size(); ++p) all[p] = p;
  const std::vector<Vector> v = project(all, a, context);
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const double* part = v[places_[k].panel].data() + places_[k].offset;
    q[k] = simd::dot(part, part, places_[k].rank);
  }
}

void FactorStack::add_product(std::span<const Term> terms, const DualVector& a, MutableSpan z,
                              const Context& context) const {
  if (a.support.empty()) return;
  const ColumnWeights weights = column_weights(terms);
  std::vector<std::size_t> used;
  for (std::size_t p = 0; p < weights.size(); ++p) {
    if (!weights[p].empty()) used.push_back(p);
  }
  if (used.empty()) return;
  std::vector<Vector> v = project(used, a, context);
  for (const std::size_t p : used) {
    for (std::size_t c = 0; c < v[p].size(); ++c) v[p][c] *= weights[p][c];
  }
  const Index blocks = (n_ + rows_per_factor_block - 1) / rows_per_factor_block;
  parallel_for(context, blocks, [&](Index b) {
    const Index end = block_begin(n_, blocks, b + 1);
    for (const std::size_t p : used) {
      const Matrix& Z = panels_[p];
      for (Index i = block_begin(n_, blocks, b); i < end; ++i) {
        z[static_cast<std::size_t>(i)] += simd::dot(Z.row(i).data(), v[p].data(), Z.cols);
      }
    }
  });
}

Index FactorStack::columns(std::span<const Term> terms) const {
  Index sum = 0;
  for (const Term& term : terms) sum += places_[static_cast<std::size_t>(term.kernel)].rank;
  return sum;
}

/// The columns sqrt(weight_t) Z_t side by side, n x `columns` row-major.
template <typename T>
void FactorStack::write_columns(std::span<const Term> terms, Index columns, std::span<T> out,
                                const Context& context) const {
  // Few rows at a time, so that what is written stays in the cache however many kernels there are.
  constexpr Index rows = 16;
  parallel_for(context, (n_ + rows - 1) / rows, [&](Index b) {
    Index first = 0;
    for (const Term& term : terms) {
      const Place& place = places_[static_cast<std::size_t>(term.kernel)];
      const Matrix& Z = panels_[place.panel];
      const double root = std::sqrt(term.weight);
      for (Index i = b * rows; i < std::min((b + 1) * rows, n_); ++i) {
        const double* from = Z.row(i).data() + place.offset;
        T* to = out.data() + i * columns + first;
        for (Index c = 0; c < place.rank; ++c) to[c] = static_cast<T>(root * from[c]);
      }
      first += place.rank;
    }
  });
}

WeightedFactor FactorStack::weighted(std::span<const Term> terms, const Context& context) const {
  WeightedFactor W{columns(terms), {}};
  W.values.resize(static_cast<std::size_t>(n_ * W.rank));
  write_columns(terms, W.rank, std::span(W.values), context);
  return W;
}

Matrix FactorStack::joined_columns(std::span<const Term> terms, const Context& context) const {
  Matrix Z(n_, columns(terms));
  write_columns(terms, Z.cols, std::span(Z.values), context);
  return Z;
}

void WeightedFactor::add_tile(const Tile& tile, MutableSpan out) const {
  // Single precision within a chunk of columns, double precision over the chunks.
  constexpr Index chunk = 128;
  using Rows = Eigen::Map<const RowMatrixF, 0, Eigen::OuterStride<>>;
  Eigen::Map<RowMatrix> sum(out.data(), tile.rows(), tile.cols());
  RowMatrixF part(tile.rows(), tile.cols());
  for (Index first = 0; first < rank; first += chunk) {
    const Index width = std::min(chunk, rank - first);
    const float* begin = values.data() + first;
    const Rows left(begin + tile.row_begin * rank, tile.rows(), width, Eigen::OuterStride<>(rank));
    const Rows right(begin + tile.col_begin * rank, tile.cols(), width, Eigen::OuterStride<>(rank));
    part.noalias() = left * right.transpose();
    sum += part.cast<double>();
  }
}

void FactorStack::add_block(std::span<const Term> terms, std::span<const Index> rows,
                            std::span<const Index> cols, MutableSpan out) const {
  const ColumnWeights weights = column_weights(terms);
  Eigen::Map<RowMatrix> sum(out.data(), length(rows), length(cols));
  for (std::size_t p = 0; p < weights.size(); ++p) {
    if (weights[p].empty()) continue;
    const Vector ones(weights[p].size(), 1.0);
    const RowMatrix W = scaled_rows(panels_[p], weights[p], length(rows),
                                    [&](Index r) { return rows[static_cast<std::size_t>(r)]; });
    const RowMatrix V = scaled_rows(panels_[p], ones, length(cols),
                                    [&](Index c) { return cols[static_cast<std::size_t>(c)]; });
    sum.noalias() += W * V.transpose();
  }
}

void FactorStack::block(Index kernel, std::span<const Index> rows, std::span<const Index> cols,
                        MutableSpan out) const {
  const Place& place = places_[static_cast<std::size_t>(kernel)];
  const Matrix& Z = panels_[place.panel];
  const auto part = [&](std::span<const Index> index) {
    RowMatrix Z_part(length(index), place.rank);
    for (std::size_t r = 0; r < index.size(); ++r) {
      const double* from = Z.row(index[r]).data() + place.offset;
      std::copy_n(from, place.rank, Z_part.row(static_cast<Index>(r)).data());
    }
    return Z_part;
  };
  Eigen::Map<RowMatrix> entries(out.data(), length(rows), length(cols));
  entries.noalias() = part(rows) * part(cols).transpose();
}

}  // namespace kernmix
