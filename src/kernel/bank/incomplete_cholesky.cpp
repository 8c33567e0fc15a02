#include "kernel/bank/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index pivot_rows_per_block = 4096;
constexpr double indefinite_tolerance = 1e-8;

/// The factorisation while it grows; columns are kept apart until their number is known.
class Growing {
 public:
  Growing(const KernelSource& source, std::span<const Index> index, const Context& context)
      : source_(source), index_(index), context_(context), residual_(index.size()) {
    Vector diagonal(static_cast<std::size_t>(source.rows()));
    source.left_diagonal(diagonal);
    for (std::size_t i = 0; i < index.size(); ++i) {
      residual_[i] = diagonal[static_cast<std::size_t>(index[i])];
    }
  }

  [[nodiscard]] ConstSpan residual() const { return residual_; }
  [[nodiscard]] Index rank() const { return length(columns_); }
  [[nodiscard]] Index pivot() const {
    return std::max_element(residual_.begin(), residual_.end()) - residual_.begin();
  }

  /// Adds the column of pivot p. Returns the position of an entry that is not finite, or -1.
  Index add_column(Index p) {
    const auto pivot = static_cast<std::size_t>(p);
    const double root = std::sqrt(residual_[pivot]);
    Vector column(index_.size());
    const Index n = length(index_);
    const Index blocks = (n + pivot_rows_per_block - 1) / pivot_rows_per_block;
    std::vector<Index> bad(static_cast<std::size_t>(blocks), -1);
    parallel_for(context_, blocks, [&](Index b) {
      const Index begin = b * pivot_rows_per_block;
      const Index end = std::min(begin + pivot_rows_per_block, n);
      bad[static_cast<std::size_t>(b)] = fill(p, root, begin, end, column);
    });
    columns_.push_back(std::move(column));
    residual_[pivot] = 0.0;
    const auto found = std::ranges::find_if(bad, [](Index i) { return i >= 0; });
    return found == bad.end() ? -1 : *found;
  }

  [[nodiscard]] Matrix factor() const {
    const Index n = length(index_);
    Matrix Z(n, rank());
    parallel_for(context_, (n + pivot_rows_per_block - 1) / pivot_rows_per_block, [&](Index b) {
      const Index end = std::min((b + 1) * pivot_rows_per_block, n);
      for (Index i = b * pivot_rows_per_block; i < end; ++i) {
        for (Index c = 0; c < rank(); ++c) {
          Z(i, c) = columns_[static_cast<std::size_t>(c)][static_cast<std::size_t>(i)];
        }
      }
    });
    return Z;
  }

 private:
  /// column = (K[:, p] - Z Z[p, :]') / root on rows [begin, end), and the residual after it.
  Index fill(Index p, double root, Index begin, Index end, Vector& column) {
    const auto count = static_cast<std::size_t>(end - begin);
    const auto first = static_cast<std::size_t>(begin);
    const auto pivot = static_cast<std::size_t>(p);
    source_.block(index_.subspan(first, count), index_.subspan(pivot, 1),
                  MutableSpan(column).subspan(first, count));
    const double* entry = column.data() + begin;
    const double* bad =
        std::find_if_not(entry, entry + count, [](double x) { return std::isfinite(x); });
    if (bad != entry + count) return begin + (bad - entry);
    for (const Vector& z : columns_) {
      simd::add_scaled(-z[pivot], z.data() + begin, column.data() + begin, end - begin);
    }
    for (std::size_t i = first; i < first + count; ++i) {
      column[i] /= root;
      residual_[i] -= column[i] * column[i];
    }
    return -1;
  }

  const KernelSource& source_;
  std::span<const Index> index_;
  const Context& context_;
  Vector residual_;
  std::vector<Vector> columns_;
};

}  // namespace

Factorization incomplete_cholesky(const KernelSource& source, std::span<const Index> index,
                                  double tolerance, Index most_rank, const Context& context) {
  using Outcome = Factorization::Outcome;
  Growing growing(source, index, context);
  const auto failed = [&](Outcome outcome, Index row, Index col) {
    Factorization result;
    result.outcome = outcome;
    result.rank = growing.rank();
    result.row = index[static_cast<std::size_t>(row)];
    result.col = index[static_cast<std::size_t>(col)];
    return result;
  };
  const ConstSpan residual = growing.residual();
  for (Index i = 0; i < length(residual); ++i) {
    if (!std::isfinite(residual[static_cast<std::size_t>(i)])) {
      return failed(Outcome::not_finite, i, i);
    }
  }
  const double trace = std::accumulate(residual.begin(), residual.end(), 0.0);
  const double largest = *std::ranges::max_element(residual);
  const double noise =
      static_cast<double>(index.size()) * std::numeric_limits<double>::epsilon() * largest;
  while (true) {
    const auto lowest = std::ranges::min_element(residual);
    const Index at = lowest - residual.begin();
    if (*lowest < -indefinite_tolerance * std::max(largest, 0.0)) {
      return failed(Outcome::indefinite, at, at);
    }
    const Index pivot = growing.pivot();
    const double rest = std::accumulate(residual.begin(), residual.end(), 0.0);
    if (residual[static_cast<std::size_t>(pivot)] <= noise || rest <= tolerance * trace) break;
    if (growing.rank() >= most_rank) return failed(Outcome::too_long, pivot, pivot);
    const Index bad = growing.add_column(pivot);
    if (bad >= 0) return failed(Outcome::not_finite, bad, pivot);
  }
  Factorization result;
  result.rank = growing.rank();
  result.Z = growing.factor();
  return result;
}

std::vector<Index> all_samples(Index n) {
  std::vector<Index> index(static_cast<std::size_t>(n));
  std::iota(index.begin(), index.end(), Index{0});
  return index;
}

std::vector<Index> spaced_samples(Index n, Index count) {
  count = std::min(n, count);
  std::vector<Index> index;
  for (Index k = 0; k < count; ++k) index.push_back(k * n / count);
  return index;
}

}  // namespace kernmix
