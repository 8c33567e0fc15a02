#include "svm/newton/weighted_columns.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

/// Z with a column of ones.
Matrix with_ones(const Matrix& Z) {
  Matrix wider(Z.rows, Z.cols + 1);
  for (Index i = 0; i < Z.rows; ++i) {
    std::ranges::copy(Z.row(i), wider.row(i).begin());
    wider(i, Z.cols) = 1.0;
  }
  return wider;
}

}  // namespace

WeightedColumns::WeightedColumns(Matrix Z)
    : rows_(Z.rows), cols_(Z.cols), own_(std::move(Z.values)) {
  blocks_.push_back({static_cast<const double*>(own_.data()), cols_, 1.0});
}

WeightedColumns WeightedColumns::of(const Combined& K, bool constant, const Context& context) {
  std::vector<StoredColumns> stored;
  if (borrows(K.samples(), K.columns())) stored = K.stored_columns();
  if (stored.empty()) {
    Matrix Z = K.factor(context);
    return WeightedColumns(constant ? with_ones(Z) : std::move(Z));
  }
  WeightedColumns columns;
  columns.rows_ = K.samples();
  columns.blocks_ = std::move(stored);
  for (const StoredColumns& block : columns.blocks_) columns.cols_ += block.columns;
  if (constant) {
    columns.own_.assign(to_size(columns.rows_), 1.0);
    columns.blocks_.push_back({static_cast<const double*>(columns.own_.data()), 1, 1.0});
    ++columns.cols_;
  }
  return columns;
}

double WeightedColumns::dot(Index i, const double* p) const {
  double sum = 0.0;
  for_blocks(i, [&](const auto* row, Index columns, double scale, Index first) {
    sum += scale * simd::dot(row, p + first, columns);
  });
  return sum;
}

void WeightedColumns::add_row(double s, Index i, double* v) const {
  for_blocks(i, [&](const auto* row, Index columns, double scale, Index first) {
    simd::add_scaled(s * scale, row, v + first, columns);
  });
}

double WeightedColumns::squared_norm(Index i) const {
  double sum = 0.0;
  for_blocks(i, [&](const auto* row, Index columns, double scale, Index /*first*/) {
    double squares = 0.0;
    for (Index j = 0; j < columns; ++j) squares += double{row[j]} * double{row[j]};
    sum += scale * scale * squares;
  });
  return sum;
}

void WeightedColumns::copy_row(Index i, double* out) const {
  for_blocks(i, [&](const auto* row, Index columns, double scale, Index first) {
    for (Index j = 0; j < columns; ++j) out[first + j] = scale * double{row[j]};
  });
}

void WeightedColumns::multiply(ConstSpan p, MutableSpan f, const Context& context) const {
  constexpr Index rows_at_once = 512;
  parallel_blocks(context, rows_, rows_at_once, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) f[to_size(i)] = dot(i, p.data());
  });
}

void WeightedColumns::add_rows(std::span<const Index> rows, ConstSpan values, MutableSpan v,
                               const Context& context) const {
  constexpr Index least_range = 512;
  constexpr Index most_ranges = 32;
  const Index ranges = ranges_of(length(rows), least_range, most_ranges);
  as_vector(v) += sum_of_ranges(context, length(rows), ranges, [&](Index begin, Index end) {
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(length(v));
    for (Index k = begin; k < end; ++k) {
      add_row(values[to_size(k)], rows[to_size(k)], sum.data());
    }
    return sum;
  });
}

Vector WeightedColumns::transposed_product(ConstSpan a, const Context& context) const {
  std::vector<Index> rows;
  Vector values;
  for (Index i = 0; i < rows_; ++i) {
    const double value = a[to_size(i)];
    if (value == 0.0) continue;
    rows.push_back(i);
    values.push_back(value);
  }
  Vector v(to_size(cols_), 0.0);
  add_rows(rows, values, v, context);
  return v;
}

}  // namespace kernmix
