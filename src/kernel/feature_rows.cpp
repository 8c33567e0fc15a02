// Comparisons of sparse samples. Products of a block are summed column by column, each over the
// samples with an entry there; other comparisons merge the entries of two samples, because a column
// in which both are 0 adds nothing to any of them.

#include "kernel/feature_rows.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernel/column_term.hpp"
#include "kernel/pairwise.hpp"

namespace kernmix {
namespace {

double total_of_values(ConstSpan values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// Entries of some rows, column by column.
class EntriesByColumn {
 public:
  EntriesByColumn(const SparseMatrix& matrix, std::span<const Index> rows)
      : by_column_(transposed(rows_at(matrix, rows))) {}

  /// out[c] += x . z for the c-th of the rows z.
  void add_products(const SparseMatrix& left, Index i, MutableSpan out) const {
    const auto columns = left.columns_of(i);
    const ConstSpan values = left.values_of(i);
    for (std::size_t k = 0; k < values.size(); ++k) {
      const auto rows = by_column_.columns_of(columns[k]);
      const ConstSpan others = by_column_.values_of(columns[k]);
      for (std::size_t e = 0; e < others.size(); ++e)
        out[to_size(rows[e])] += values[k] * others[e];
    }
  }

 private:
  SparseMatrix by_column_;
};

/// out = x . z, without offsets.
void multiply(const SparseMatrix& left, std::span<const Index> row_index, const SparseMatrix& right,
              std::span<const Index> col_index, MutableSpan out) {
  std::ranges::fill(out, 0.0);
  const EntriesByColumn others(right, col_index);
  for (std::size_t r = 0; r < row_index.size(); ++r) {
    others.add_products(left, row_index[r], out.subspan(r * col_index.size(), col_index.size()));
  }
}

/// The sum over the columns in which one of the two has an entry.
double merged(Comparison comparison, const SparseMatrix& left, Index i, const SparseMatrix& right,
              Index j) {
  const auto x_columns = left.columns_of(i);
  const auto z_columns = right.columns_of(j);
  const ConstSpan x = left.values_of(i);
  const ConstSpan z = right.values_of(j);
  double sum = 0.0;
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < x.size() || b < z.size()) {
    const bool in_x = a < x.size() && (b == z.size() || x_columns[a] <= z_columns[b]);
    const bool in_z = b < z.size() && (a == x.size() || z_columns[b] <= x_columns[a]);
    sum += column_term(comparison, in_x ? x[a] : 0.0, in_z ? z[b] : 0.0).value;
    a += in_x ? 1 : 0;
    b += in_z ? 1 : 0;
  }
  return sum;
}

/// The comparison from the product of two samples without offsets.
double from_product(Comparison comparison, const SparseRows& left, Index i, const SparseRows& right,
                    Index j, double product) {
  if (comparison == Comparison::squared_distance) {
    const double norms = left.plain_squared_norm(i) + right.plain_squared_norm(j);
    const double distance = norms - 2.0 * product;
    return distance > kCancelled * norms
               ? distance
               : merged(comparison, left.numbers(), i, right.numbers(), j);
  }
  product += left.correction(i, right, j);
  if (comparison == Comparison::dot) return product;
  const double norms = left.squared_norm(i) * right.squared_norm(j);
  return norms > 0.0 ? product / std::sqrt(norms) : 0.0;
}

void compare_sparse(Comparison comparison, const SparseRows& left, std::span<const Index> row_index,
                    const SparseRows& right, std::span<const Index> col_index, MutableSpan out) {
  const bool of_products = comparison == Comparison::dot || comparison == Comparison::cosine ||
                           comparison == Comparison::squared_distance;
  if (of_products) multiply(left.numbers(), row_index, right.numbers(), col_index, out);
  double* entry = out.data();
  for (const Index i : row_index) {
    for (const Index j : col_index) {
      if (of_products) {
        *entry = from_product(comparison, left, i, right, j, *entry);
      } else {
        *entry = merged(comparison, left.numbers(), i, right.numbers(), j);
      }
      if (comparison == Comparison::shared_part && *entry > 0.0) {
        *entry *= 2.0 / (total_of_values(left.numbers().values_of(i)) +
                         total_of_values(right.numbers().values_of(j)));
      }
      ++entry;
    }
  }
}

}  // namespace

SparseRows::SparseRows(std::shared_ptr<const SparseMatrix> numbers, Vector offset)
    : numbers_(std::move(numbers)) {
  for (Index i = 0; i < numbers_->rows; ++i) {
    const ConstSpan x = numbers_->values_of(i);
    squares_.push_back(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
  }
  if (std::ranges::all_of(offset, [](double value) { return value == 0.0; })) return;
  square_ = std::inner_product(offset.begin(), offset.end(), offset.begin(), 0.0);
  for (Index i = 0; i < numbers_->rows; ++i) {
    const auto columns = numbers_->columns_of(i);
    const ConstSpan values = numbers_->values_of(i);
    double sum = 0.0;
    for (std::size_t k = 0; k < values.size(); ++k) sum += values[k] * offset[to_size(columns[k])];
    along_.push_back(sum);
  }
}

void compare(Comparison comparison, const FeatureRows& left, std::span<const Index> row_index,
             const FeatureRows& right, std::span<const Index> col_index, MutableSpan out) {
  if (left.sparse() == nullptr) {
    return compare(comparison, left.dense(), row_index, right.dense(), col_index, out);
  }
  compare_sparse(comparison, *left.sparse(), row_index, *right.sparse(), col_index, out);
}

double compare_with_itself(Comparison comparison, const FeatureRows& samples, Index i) {
  const SparseRows* const sparse = samples.sparse();
  if (sparse == nullptr) return compare_with_itself(comparison, samples.dense().row(i));
  if (comparison == Comparison::dot) return sparse->squared_norm(i);
  if (comparison == Comparison::cosine) return sparse->squared_norm(i) > 0.0 ? 1.0 : 0.0;
  return compare_with_itself(comparison, sparse->numbers().values_of(i));
}

}  // namespace kernmix
