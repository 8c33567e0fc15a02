#include "kernel/pairwise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/linear_algebra.hpp"
#include "base/simd.hpp"
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

/// Columns that are summed at a time: a panel of them stays in the cache.
constexpr Index columns_at_once = 512;

/// out[r * columns + c] = x_r . z_c. Each sum has the order of its columns, so that a value does
/// not depend on the other samples, as it would in a matrix product of BLAS.
void multiply_panels(const ConstMatrix& left, std::span<const Index> row_index,
                     const ConstMatrix& right, std::span<const Index> col_index, double* out) {
  const Index stride = length(col_index);
  std::fill_n(out, row_index.size() * col_index.size(), 0.0);
  Vector panel(to_size(std::min(right.cols, columns_at_once) * panel_width));
  std::vector<const double*> rows(row_index.size());
  for (Index column = 0; column < right.cols; column += columns_at_once) {
    const Index columns = std::min(columns_at_once, right.cols - column);
    const ConstMatrix part = right.columns(column, columns);
    for (std::size_t r = 0; r < rows.size(); ++r)
      rows[r] = &left.row(row_index[r])[to_size(column)];
    for (Index first = 0; first < stride; first += panel_width) {
      const Index width = std::min(panel_width, stride - first);
      fill_panel(part, col_index.subspan(to_size(first), to_size(width)), panel);
      add_products(rows, columns, panel.data(), width, out + first, stride);
    }
  }
}

/// Panels are filled with the fewer samples: x . z and z . x have the same bits.
void multiply(const ConstMatrix& left, std::span<const Index> row_index, const ConstMatrix& right,
              std::span<const Index> col_index, MutableSpan out) {
  if (row_index.size() >= panel_width || row_index.size() >= col_index.size()) {
    return multiply_panels(left, row_index, right, col_index, out.data());
  }
  Vector turned(out.size());
  multiply_panels(right, col_index, left, row_index, turned.data());
  for (std::size_t r = 0; r < row_index.size(); ++r) {
    for (std::size_t c = 0; c < col_index.size(); ++c) {
      out[r * col_index.size() + c] = turned[c * row_index.size() + r];
    }
  }
}

/// Eigen's sum would depend on the place of the sample in memory.
double squared_norm(ConstSpan sample) {
  return simd::dot(sample.data(), sample.data(), length(sample));
}

Vector squared_norms(const ConstMatrix& samples, std::span<const Index> index) {
  Vector norms;
  norms.reserve(index.size());
  for (const Index i : index) norms.push_back(squared_norm(samples.row(i)));
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
      return squared_norm(sample);
    case Comparison::cosine:
      return squared_norm(sample) > 0.0 ? 1.0 : 0.0;
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
