#include "svm/newton/factor_system.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/cholesky.hpp"
#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

using ColumnVector = Eigen::VectorXd;

/// The system is solved by conjugate gradients if it has at least this many columns, and F is at
/// least this many times the number of rows from which their preconditioner is computed: the
/// products read Z some fifteen times, I + Y'Y takes r operations for each entry of Z.
constexpr Index kColumnsOfGradients = 512;
constexpr Index kTimesTheSample = 3;
/// Rows of the preconditioner for each column. By the law of Marchenko and Pastur the eigenvalues
/// of the preconditioned system then lie between about (1 + 1/2)^-2 and (1 - 1/2)^-2.
constexpr Index kRowsOfSample = 4;

bool by_gradients(Index F, Index r) {
  return r >= kColumnsOfGradients && F >= kTimesTheSample * kRowsOfSample * r;
}

/// The rows of Y, computed a few at a time.
class CentredRows {
 public:
  CentredRows(const Matrix& Z, ConstSpan slope, const DualSet& set)
      : Z_(Z), slope_(slope), set_(set) {
    for (std::size_t i = 0; i < slope.size(); ++i) {
      if (slope[i] > 0.0) rows_.push_back(static_cast<Index>(i));
    }
    find_means();
  }

  [[nodiscard]] Index count() const { return length(rows_); }

  /// Rows begin * stride, ..., (end - 1) * stride.
  [[nodiscard]] RowMatrix rows(Index begin, Index end, Index stride) const {
    RowMatrix Y(end - begin, Z_.cols);
    for (Index k = begin; k < end; ++k) {
      const Index i = rows_[static_cast<std::size_t>(k * stride)];
      Y.row(k - begin) = as_matrix(Z_).row(i);
      if (set_.balanced()) Y.row(k - begin) -= means_[block(i)];
      Y.row(k - begin) *= std::sqrt(slope_[static_cast<std::size_t>(i)]);
    }
    return Y;
  }

  /// (I + Y'Y) p, with one pass over Z.
  [[nodiscard]] ColumnVector times(const ColumnVector& p, const Context& context) const {
    constexpr Index ranges = 32;
    std::vector<ColumnVector> parts(to_size(ranges));
    parallel_for(context, ranges, [&](Index range) {
      ColumnVector& sum = parts[to_size(range)];
      sum = ColumnVector::Zero(Z_.cols);
      for (Index k = count() * range / ranges; k < count() * (range + 1) / ranges; ++k) {
        const Index i = rows_[to_size(k)];
        const double* row = Z_.row(i).data();
        const double value = slope_[to_size(i)] * simd::dot(row, p.data(), Z_.cols);
        simd::add_scaled(value, row, sum.data(), Z_.cols);
      }
    });
    ColumnVector product = p;
    for (const ColumnVector& part : parts) product += part;
    for (std::size_t c = 0; c < means_.size(); ++c) {
      product -= weight_[c] * means_[c].dot(p) * means_[c].transpose();
    }
    return product;
  }

 private:
  [[nodiscard]] std::size_t block(Index i) const {
    return static_cast<std::size_t>(set_.block[static_cast<std::size_t>(i)]);
  }

  void find_means() {
    weight_.assign(set_.totals.size(), 0.0);
    means_.assign(set_.totals.size(), Eigen::RowVectorXd::Zero(Z_.cols));
    if (!set_.balanced()) return;
    for (const Index i : rows_) {
      const double slope = slope_[static_cast<std::size_t>(i)];
      means_[block(i)] += slope * as_matrix(Z_).row(i);
      weight_[block(i)] += slope;
    }
    for (std::size_t c = 0; c < means_.size(); ++c) {
      if (weight_[c] > 0.0) means_[c] /= weight_[c];
    }
  }

  const Matrix& Z_;
  ConstSpan slope_;
  const DualSet& set_;
  std::vector<Index> rows_;
  std::vector<Eigen::RowVectorXd> means_;
  Vector weight_;  ///< sums of slopes
};

/// Number of partial sums of Y'Y over ranges of rows: few for many columns, because each is r x r.
Index partial_sums(Index rows, Index r) {
  constexpr Index wide = 1024;
  return std::clamp<Index>(rows / 1024, 1, r < wide ? 8 : 2);
}

/// I + stride * Y'Y of every stride-th row, lower triangle: partial sums, added in order.
RowMatrix identity_plus_gram(const CentredRows& Y, Index r, Index stride, const Context& context) {
  constexpr Index rows_at_once = 256;
  const Index count = (Y.count() + stride - 1) / stride;
  const Index ranges = partial_sums(count, r);
  std::vector<RowMatrix> parts(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index k) {
    RowMatrix& part = parts[static_cast<std::size_t>(k)];
    part = RowMatrix::Zero(r, r);
    const Index last = count * (k + 1) / ranges;
    for (Index begin = count * k / ranges; begin < last; begin += rows_at_once) {
      const RowMatrix rows = Y.rows(begin, std::min(begin + rows_at_once, last), stride);
      part.selfadjointView<Eigen::Lower>().rankUpdate(rows.transpose(),
                                                      static_cast<double>(stride));
    }
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  parts.front().diagonal().array() += 1.0;
  return std::move(parts.front());
}

/// Solves S x = right for S positive definite, given by its lower triangle; 0 if S is not finite.
ColumnVector solve_positive_definite(RowMatrix S, const ColumnVector& right) {
  const double ridge = 1e-12 * S.diagonal().maxCoeff();  // needed only because of rounding
  const auto factor = cholesky_with_ridge(std::move(S), {0.0, ridge, 10.0});
  return factor ? factor->solve(right) : ColumnVector::Zero(right.size());
}

/// Conjugate gradients, preconditioned with I + Y'Y of a sample of the rows. Nothing if they do not
/// converge, because rows outside the sample matter.
std::optional<ColumnVector> solve_by_gradients(const CentredRows& Y, const ColumnVector& right,
                                               const Context& context) {
  constexpr double kReduction = 1e-4;  // of the error in the energy norm, approximately
  constexpr int kMostProducts = 60;
  const Index r = right.size();
  const Index stride = Y.count() / (kRowsOfSample * r);
  const auto sample = Cholesky::of(identity_plus_gram(Y, r, stride, context));
  if (!sample) return std::nullopt;
  ColumnVector x = ColumnVector::Zero(r);
  ColumnVector rest = right;
  ColumnVector scaled = sample->solve(rest);
  ColumnVector direction = scaled;
  double size = rest.dot(scaled);
  const double target = kReduction * kReduction * size;
  for (int k = 0; k < kMostProducts && !context.should_stop(); ++k) {
    if (size <= target) return x;
    const ColumnVector product = Y.times(direction, context);
    const double length = size / direction.dot(product);
    if (!std::isfinite(length)) return std::nullopt;
    x += length * direction;
    rest -= length * product;
    scaled = sample->solve(rest);
    const double next = rest.dot(scaled);
    direction = scaled + next / size * direction;
    size = next;
  }
  return std::nullopt;
}

}  // namespace

std::size_t newton_direction_bytes(Index F, Index r) {
  const Index numbers = F >= r ? partial_sums(F, r) * r * r : F * (r + F);
  return static_cast<std::size_t>(numbers) * sizeof(double);
}

Vector newton_direction(const Matrix& Z, ConstSpan slope, const DualSet& set, ConstSpan g,
                        const Context& context) {
  if (Z.cols == 0) return {};
  const CentredRows Y(Z, slope, set);
  const auto gradient = as_vector(g);
  ColumnVector p = -gradient;
  if (by_gradients(Y.count(), Z.cols)) {
    if (auto solved = solve_by_gradients(Y, p, context)) return {solved->begin(), solved->end()};
  }
  if (Y.count() >= Z.cols) {
    p = solve_positive_definite(identity_plus_gram(Y, Z.cols, 1, context), p);
  } else if (Y.count() > 0) {
    const RowMatrix rows = Y.rows(0, Y.count(), 1);
    RowMatrix S = RowMatrix::Identity(Y.count(), Y.count());
    S.selfadjointView<Eigen::Lower>().rankUpdate(rows);
    p.noalias() += rows.transpose() * solve_positive_definite(std::move(S), rows * gradient);
  }
  return {p.begin(), p.end()};
}

}  // namespace kernmix
