#include "kernel/pairwise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "kernel/vector_math.hpp"

namespace kernmix {
namespace {

/// Up to this number of columns, sums term by term are as fast as a matrix product.
constexpr Index few_columns = 16;

ColumnTerm term_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::squared_distance:
      return ColumnTerm::squared_difference;
    case Comparison::absolute_distance:
      return ColumnTerm::absolute_difference;
    case Comparison::chi2_distance:
      return ColumnTerm::chi2;
    case Comparison::harmonic_sum:
      return ColumnTerm::harmonic;
    case Comparison::minimum_sum:
    case Comparison::shared_part:
      return ColumnTerm::minimum;
    case Comparison::dot:
    case Comparison::cosine:
    case Comparison::given:
      break;
  }
  return ColumnTerm::product;
}

/// Copies rows `index` side by side into a panel, see vector_math.hpp; missing samples are zero.
void fill_panel(const ConstMatrix& samples, std::span<const Index> index, Vector& panel) {
  std::fill(panel.begin(), panel.end(), 0.0);
  for (Index j = 0; j < length(index); ++j) {
    const ConstSpan sample = samples.row(index[to_size(j)]);
    for (std::size_t c = 0; c < sample.size(); ++c) {
      panel[c * panel_width + to_size(j)] = sample[c];
    }
  }
}

void sum_terms(ColumnTerm term, const ConstMatrix& left, std::span<const Index> row_index,
               const ConstMatrix& right, std::span<const Index> col_index, MutableSpan out) {
  const std::size_t stride = col_index.size();
  Vector panel(to_size(right.cols * panel_width));
  std::array<double, panel_width> sums{};
  for (std::size_t first = 0; first < stride; first += panel_width) {
    const std::size_t width = std::min<std::size_t>(panel_width, stride - first);
    fill_panel(right, col_index.subspan(first, width), panel);
    for (std::size_t r = 0; r < row_index.size(); ++r) {
      column_sums(term, left.row(row_index[r]), panel.data(), sums.data());
      std::copy_n(sums.begin(), width, out.begin() + static_cast<Index>(r * stride + first));
    }
  }
}

/// Rows `index` as one matrix: a view of contiguous rows, otherwise a copy in `copy`.
Eigen::Map<const RowMatrix, 0, Eigen::OuterStride<>> rows_of(const ConstMatrix& samples,
                                                             std::span<const Index> index,
                                                             RowMatrix& copy) {
  if (consecutive(index)) {
    return {samples.row(index.front()).data(), length(index), samples.cols,
            Eigen::OuterStride<>(samples.stride)};
  }
  copy.resize(length(index), samples.cols);
  for (Index i = 0; i < length(index); ++i) {
    copy.row(i) = as_vector(samples.row(index[to_size(i)]));
  }
  return {copy.data(), copy.rows(), copy.cols(), Eigen::OuterStride<>(copy.cols())};
}

void multiply(const ConstMatrix& left, std::span<const Index> row_index, const ConstMatrix& right,
              std::span<const Index> col_index, MutableSpan out) {
  RowMatrix left_copy;
  RowMatrix right_copy;
  const auto x = rows_of(left, row_index, left_copy);
  const auto z = rows_of(right, col_index, right_copy);
  Eigen::Map<RowMatrix>(out.data(), x.rows(), z.rows()).noalias() = x * z.transpose();
}

Vector squared_norms(const ConstMatrix& samples, std::span<const Index> index) {
  Vector norms;
  norms.reserve(index.size());
  for (const Index i : index) norms.push_back(as_vector(samples.row(i)).squaredNorm());
  return norms;
}

double squared_distance(ConstSpan x, ConstSpan z) {
  return (as_vector(x) - as_vector(z)).squaredNorm();
}

/// |x - z|^2 = |x|^2 + |z|^2 - 2 x . z from the products in `out`; from the differences if that
/// cancels (or overflows).
void distances_from_products(const ConstMatrix& left, std::span<const Index> row_index,
                             const ConstMatrix& right, std::span<const Index> col_index,
                             MutableSpan out) {
  const Vector left_norms = squared_norms(left, row_index);
  const Vector right_norms = squared_norms(right, col_index);
  double* entry = out.data();
  for (std::size_t r = 0; r < row_index.size(); ++r) {
    for (std::size_t c = 0; c < col_index.size(); ++c, ++entry) {
      const double norms = left_norms[r] + right_norms[c];
      const double distance = norms - 2.0 * *entry;
      *entry = distance > kCancelled * norms
                   ? distance
                   : squared_distance(left.row(row_index[r]), right.row(col_index[c]));
    }
  }
}

double inverse_root(double squared_norm) {
  return squared_norm > 0.0 ? 1.0 / std::sqrt(squared_norm) : 0.0;
}

void cosines_from_products(const ConstMatrix& left, std::span<const Index> row_index,
                           const ConstMatrix& right, std::span<const Index> col_index,
                           MutableSpan out) {
  Vector left_norms = squared_norms(left, row_index);
  Vector right_norms = squared_norms(right, col_index);
  std::transform(left_norms.begin(), left_norms.end(), left_norms.begin(), inverse_root);
  std::transform(right_norms.begin(), right_norms.end(), right_norms.begin(), inverse_root);
  double* entry = out.data();
  for (const double left_norm : left_norms) {
    for (const double right_norm : right_norms) *entry++ *= left_norm * right_norm;
  }
}

double total(ConstSpan sample) { return std::accumulate(sample.begin(), sample.end(), 0.0); }

/// 2 sum min(x, z) / (sum x + sum z) from the sums of minima in `out`.
void shares_from_minima(const ConstMatrix& left, std::span<const Index> row_index,
                        const ConstMatrix& right, std::span<const Index> col_index,
                        MutableSpan out) {
  Vector right_totals;
  for (const Index j : col_index) right_totals.push_back(total(right.row(j)));
  double* entry = out.data();
  for (const Index i : row_index) {
    const double left_total = total(left.row(i));
    for (const double right_total : right_totals) {
      *entry = *entry > 0.0 ? 2.0 * *entry / (left_total + right_total) : 0.0;
      ++entry;
    }
  }
}

}  // namespace

void compare(Comparison comparison, const ConstMatrix& left, std::span<const Index> row_index,
             const ConstMatrix& right, std::span<const Index> col_index, MutableSpan out) {
  if (row_index.empty() || col_index.empty()) return;
  const ColumnTerm term = term_of(comparison);
  const bool has_product = term == ColumnTerm::product || term == ColumnTerm::squared_difference;
  if (has_product && right.cols > few_columns) {
    multiply(left, row_index, right, col_index, out);
    if (comparison == Comparison::squared_distance) {
      distances_from_products(left, row_index, right, col_index, out);
    }
  } else {
    sum_terms(term, left, row_index, right, col_index, out);
  }
  if (comparison == Comparison::cosine) {
    cosines_from_products(left, row_index, right, col_index, out);
  } else if (comparison == Comparison::shared_part) {
    shares_from_minima(left, row_index, right, col_index, out);
  }
}

double compare_with_itself(Comparison comparison, ConstSpan sample) {
  switch (comparison) {
    case Comparison::dot:
      return as_vector(sample).squaredNorm();
    case Comparison::cosine:
      return as_vector(sample).squaredNorm() > 0.0 ? 1.0 : 0.0;
    case Comparison::harmonic_sum:
    case Comparison::minimum_sum:
      return total(sample);
    case Comparison::shared_part:
      return total(sample) > 0.0 ? 1.0 : 0.0;
    case Comparison::squared_distance:
    case Comparison::absolute_distance:
    case Comparison::chi2_distance:
    case Comparison::given:
      break;
  }
  return 0.0;
}

}  // namespace kernmix
