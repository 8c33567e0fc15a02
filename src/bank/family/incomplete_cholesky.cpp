#include "bank/family/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bank/packed/prefetch.hpp"
#include "bank/reference/source_rows.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

constexpr Index samples_per_pivot_block = 4096;
/// A copy of the columns of more samples would take more memory than it saves.
constexpr Index many_samples = 4096;
/// How negative rounding may leave the residual of a matrix that is called semidefinite: above what
/// it leaves of ranks up to 10^4.
constexpr double indefinite_tolerance = 1e-11;

/// The state of the factorisation.
class FactorBuilder {
 public:
  using Outcome = Factorization::Outcome;
  using Range = simd::ResidualRange;

  FactorBuilder(const RowwiseMatrix& K, double tolerance, Index most_rank, Factorization begun,
                const Context& context)
      : K_(K),
        context_(context),
        n_(length(K.diagonal)),
        most_rank_(most_rank),
        trace_(std::accumulate(K.diagonal.begin(), K.diagonal.end(), 0.0)),
        negligible_(tolerance * trace_),
        largest_(n_ > 0 ? *std::ranges::max_element(K.diagonal) : 0.0),
        found_(std::move(begun)) {
    found_.columns.cols = n_;
    reserve_columns(found_.columns.values, found_.rank(), n_);
    if (found_.pivots.empty()) found_.residual = K.diagonal;
    range_ = {0.0, 0.0, 0.0};
    for (const double value : found_.residual) range_ = joined(range_, {value, value, value});
  }

  /// Selects the largest residual and prefetches its row; false if no further column is needed.
  bool choose() {
    if (ended_) return false;
    stop_if_asked(context_);
    const std::optional<Outcome> outcome = reached();
    if (outcome) {
      found_.outcome = *outcome;
      ended_ = true;
      return false;
    }
    pivot_ = std::ranges::find(found_.residual, range_.highest) - found_.residual.begin();
    if (K_.stored) prefetch(K_.stored->first + pivot_ * K_.stored->stride, n_);
    return true;
  }

  /// Adds the selected column.
  void add_column() {
    const Index p = pivot_;
    on_pivot_.clear();
    for (Index c = 0; c < found_.rank(); ++c) on_pivot_.push_back(-found_.columns(c, p));
    found_.columns.values.resize(found_.columns.values.size() + static_cast<std::size_t>(n_));
    const double root = std::sqrt(range_.highest);
    const Index blocks = blocks_of(n_, samples_per_pivot_block);
    if (blocks <= 1) {
      range_ = fill(p, root, 0, n_);
    } else {
      std::vector<Range> ranges(static_cast<std::size_t>(blocks));
      const auto part = [&](Index b, Index begin, Index end) {
        ranges[static_cast<std::size_t>(b)] = fill(p, root, begin, end);
      };
      parallel_blocks(context_, n_, samples_per_pivot_block, part);
      range_ = {0.0, 0.0, 0.0};
      for (const Range& range : ranges) range_ = joined(range_, range);
    }
    ++found_.columns.rows;
    found_.pivots.push_back(p);
    found_.residual[static_cast<std::size_t>(p)] = 0.0;
  }

  [[nodiscard]] bool ended() const { return ended_; }
  /// Hundreds are kept side by side: without the room that their vectors grew into.
  [[nodiscard]] Factorization result() && {
    if (n_ <= many_samples) found_.columns.values.shrink_to_fit();
    return std::move(found_);
  }

 private:
  static Range joined(const Range& left, const Range& right) {
    return {left.sum + right.sum, std::min(left.lowest, right.lowest),
            std::max(left.highest, right.highest)};
  }

  /// The outcome, unless one more column is wanted.
  [[nodiscard]] std::optional<Outcome> reached() const {
    const auto& [rest, lowest, highest] = range_;
    if (!std::isfinite(trace_) || !std::isfinite(rest)) return Outcome::not_finite;
    if (lowest < -indefinite_tolerance * std::max(largest_, 0.0)) return Outcome::indefinite;
    // What is negative is rounding, of the entries or of the elimination.
    const double rounding = std::max(rounding_level(found_.rank(), largest_), -lowest);
    if (highest <= rounding || rest <= negligible_) return Outcome::complete;
    if (found_.rank() >= most_rank_) return Outcome::too_long;
    return std::nullopt;
  }

  /// The new column, (K[p, :] - L[p, :] L') / root, on samples [begin, end), where it is 0 so far,
  /// and the residual after it.
  Range fill(Index p, double root, Index begin, Index end) {
    const Index count = end - begin;
    double* column = found_.columns.values.data() + found_.rank() * n_ + begin;
    if (!K_.stored) K_.row(p, begin, end, column);
    simd::add_rows(found_.columns.values.data() + begin, n_, nullptr, on_pivot_.data(),
                   found_.rank(), column, count);
    if (K_.stored) {
      const double* row = K_.stored->first + p * K_.stored->stride + begin;
      simd::add_scaled(K_.stored->scale, row, column, count);
    }
    // What is left of the diagonal, whatever the row says: then nothing but rounding is left of it.
    if (begin <= p && p < end) column[p - begin] = found_.residual[static_cast<std::size_t>(p)];
    return simd::eliminate(1.0 / root, column, found_.residual.data() + begin, count);
  }

  const RowwiseMatrix& K_;
  const Context& context_;
  Index n_;
  Index most_rank_;
  double trace_;
  double negligible_;  ///< sum of residuals
  double largest_;     ///< entry on the diagonal
  Factorization found_;
  Range range_;
  Index pivot_ = 0;
  bool ended_ = false;
  Vector on_pivot_;  ///< - L[p, :]
};

}  // namespace

void reserve_columns(Vector& columns, Index rank, Index n) {
  constexpr Index first_entries = 8'192;
  const Index more = std::max<Index>(16, first_entries / std::max<Index>(n, 1));
  columns.reserve(to_size((rank + more) * n));
}

RowwiseMatrix rowwise(const KernelSource& source, std::span<const Index> index) {
  Vector all(static_cast<std::size_t>(source.rows()));
  source.left_diagonal(all);
  return rowwise(source, index, entries_at(all, index));
}

RowwiseMatrix rowwise(const KernelSource& source, std::span<const Index> index, Vector diagonal) {
  const auto row = [&source, index](Index p, Index begin, Index end, double* out) {
    source.block(slice(index, p, p + 1), slice(index, begin, end), {out, to_size(end - begin)});
  };
  RowwiseMatrix K{std::move(diagonal), row};
  if (const auto stored = source.stored(); stored && !index.empty() && consecutive(index)) {
    const Index first = index.front();
    K.stored = {stored->first + first * (stored->stride + 1), stored->stride, stored->scale};
  }
  return K;
}

Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance, Index most_rank,
                                  const Context& context) {
  return incomplete_cholesky(K, tolerance, most_rank, {}, context);
}

Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance, Index most_rank,
                                  Factorization begun, const Context& context) {
  FactorBuilder growing(K, tolerance, most_rank, std::move(begun), context);
  while (growing.choose()) growing.add_column();
  return std::move(growing).result();
}

std::vector<Factorization> incomplete_cholesky(std::span<const RowwiseMatrix> matrices,
                                               double tolerance, Index most_rank,
                                               const Context& context) {
  std::vector<FactorBuilder> all;
  for (const RowwiseMatrix& K : matrices)
    all.emplace_back(K, tolerance, most_rank, Factorization(), context);
  while (true) {
    for (FactorBuilder& growing : all) growing.choose();
    if (std::ranges::all_of(all, &FactorBuilder::ended)) break;
    for (FactorBuilder& growing : all) {
      if (!growing.ended()) growing.add_column();
    }
  }
  std::vector<Factorization> found;
  for (FactorBuilder& growing : all) found.push_back(std::move(growing).result());
  return found;
}

double rounding_level(Index rank, double largest) {
  constexpr double safety = 4.0;
  return safety * static_cast<double>(rank + 8) * std::numeric_limits<double>::epsilon() * largest;
}

}  // namespace kernmix
