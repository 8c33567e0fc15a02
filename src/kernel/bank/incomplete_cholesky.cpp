#include "kernel/bank/incomplete_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/bank/simd.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

constexpr Index samples_per_pivot_block = 4096;
constexpr double indefinite_tolerance = 1e-8;

/// The factorisation while it grows.
class Growing {
 public:
  using Outcome = Factorization::Outcome;

  Growing(const RowwiseMatrix& K, Factorization begun, const Context& context)
      : K_(K), context_(context), n_(length(K.diagonal)), found_(std::move(begun)) {
    found_.columns.cols = n_;
    if (found_.pivots.empty()) found_.residual = K.diagonal;
  }

  /// Adds the column of pivot p; false where it has an entry that is not finite.
  bool add_column(Index p) {
    Vector on_pivot;  // L[p, :]
    for (Index c = 0; c < found_.rank(); ++c) on_pivot.push_back(-found_.columns(c, p));
    found_.columns.values.resize(found_.columns.values.size() + static_cast<std::size_t>(n_));
    const double root = std::sqrt(found_.residual[static_cast<std::size_t>(p)]);
    const Index blocks = (n_ + samples_per_pivot_block - 1) / samples_per_pivot_block;
    std::vector<char> finite(static_cast<std::size_t>(blocks), 1);
    parallel_for(context_, blocks, [&](Index b) {
      const Index begin = b * samples_per_pivot_block;
      const Index end = std::min(begin + samples_per_pivot_block, n_);
      finite[static_cast<std::size_t>(b)] = fill(p, root, on_pivot, begin, end);
    });
    ++found_.columns.rows;
    found_.pivots.push_back(p);
    found_.residual[static_cast<std::size_t>(p)] = 0.0;
    return std::ranges::all_of(finite, [](char good) { return good != 0; });
  }

  [[nodiscard]] const Vector& residual() const { return found_.residual; }
  [[nodiscard]] Index rank() const { return found_.rank(); }
  [[nodiscard]] Factorization end(Outcome outcome) {
    found_.outcome = outcome;
    return std::move(found_);
  }

 private:
  /// The new column, (K[p, :] - L[p, :] L') / root, on samples [begin, end), and the residual
  /// after it.
  char fill(Index p, double root, const Vector& on_pivot, Index begin, Index end) {
    double* column = found_.columns.values.data() + found_.rank() * n_;
    K_.row(p, begin, end, column + begin);
    simd::add_rows(found_.columns.values.data() + begin, n_, nullptr, on_pivot.data(),
                   found_.rank(), column + begin, end - begin);
    double* residual = found_.residual.data();
    double sum = 0.0;
    const double scale = 1.0 / root;
    for (Index i = begin; i < end; ++i) {
      column[i] *= scale;
      sum += column[i];
      residual[i] -= column[i] * column[i];
    }
    return std::isfinite(sum) ? 1 : 0;
  }

  const RowwiseMatrix& K_;
  const Context& context_;
  Index n_;
  Factorization found_;
};

}  // namespace

RowwiseMatrix rowwise(const KernelSource& source, std::span<const Index> index) {
  Vector all(static_cast<std::size_t>(source.rows()));
  source.left_diagonal(all);
  RowwiseMatrix K;
  for (const Index i : index) K.diagonal.push_back(all[static_cast<std::size_t>(i)]);
  K.row = [&source, index](Index p, Index begin, Index end, double* out) {
    const auto count = static_cast<std::size_t>(end - begin);
    source.block(index.subspan(static_cast<std::size_t>(p), 1),
                 index.subspan(static_cast<std::size_t>(begin), count), {out, count});
  };
  return K;
}

Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance, Index most_rank,
                                  const Context& context) {
  return incomplete_cholesky(K, tolerance, most_rank, {}, context);
}

Factorization incomplete_cholesky(const RowwiseMatrix& K, double tolerance, Index most_rank,
                                  Factorization begun, const Context& context) {
  using Outcome = Factorization::Outcome;
  Growing growing(K, std::move(begun), context);
  const double trace = std::accumulate(K.diagonal.begin(), K.diagonal.end(), 0.0);
  if (!std::isfinite(trace)) return growing.end(Outcome::not_finite);
  const double largest = *std::ranges::max_element(K.diagonal);
  while (true) {
    double lowest = 0.0, highest = 0.0, rest = 0.0;
    Index pivot = 0;
    for (Index i = 0; i < length(growing.residual()); ++i) {
      const double value = growing.residual()[static_cast<std::size_t>(i)];
      rest += value;
      lowest = std::min(lowest, value);
      if (value > highest) {
        highest = value;
        pivot = i;
      }
    }
    if (!std::isfinite(rest)) return growing.end(Outcome::not_finite);
    if (lowest < -indefinite_tolerance * std::max(largest, 0.0)) {
      return growing.end(Outcome::indefinite);
    }
    if (highest <= rounding_level(growing.rank(), largest) || rest <= tolerance * trace) break;
    if (growing.rank() >= most_rank) return growing.end(Outcome::too_long);
    if (!growing.add_column(pivot)) return growing.end(Outcome::not_finite);
  }
  return growing.end(Outcome::complete);
}

double rounding_level(Index rank, double largest) {
  constexpr double safety = 4.0;
  return safety * static_cast<double>(rank + 8) * std::numeric_limits<double>::epsilon() * largest;
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
