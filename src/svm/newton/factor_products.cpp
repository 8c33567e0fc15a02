#include "svm/newton/factor_products.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/simd.hpp"

namespace kernmix {

void multiply(const Matrix& Z, ConstSpan p, MutableSpan f, const Context& context) {
  constexpr Index rows_at_once = 512;
  parallel_blocks(context, Z.rows, rows_at_once, [&](Index, Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      f[static_cast<std::size_t>(i)] = simd::dot(Z.row(i).data(), p.data(), Z.cols);
    }
  });
}

void add_rows(const Matrix& Z, std::span<const Index> rows, ConstSpan values, MutableSpan v,
              const Context& context) {
  constexpr Index least_range = 512;
  constexpr Index most_ranges = 32;
  const Index count = length(rows);
  const Index ranges = std::clamp<Index>(count / least_range, 1, most_ranges);
  std::vector<Vector> sums(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index b) {
    Vector& sum = sums[static_cast<std::size_t>(b)];
    sum.assign(v.size(), 0.0);
    for (Index k = count * b / ranges; k < count * (b + 1) / ranges; ++k) {
      const auto at = static_cast<std::size_t>(k);
      simd::add_scaled(values[at], Z.row(rows[at]).data(), sum.data(), Z.cols);
    }
  });
  for (const Vector& sum : sums) {
    for (std::size_t c = 0; c < v.size(); ++c) v[c] += sum[c];
  }
}

Vector transposed_product(const Matrix& Z, ConstSpan a, const Context& context) {
  std::vector<Index> rows;
  Vector values;
  for (Index i = 0; i < Z.rows; ++i) {
    const double value = a[static_cast<std::size_t>(i)];
    if (value == 0.0) continue;
    rows.push_back(i);
    values.push_back(value);
  }
  Vector v(static_cast<std::size_t>(Z.cols), 0.0);
  add_rows(Z, rows, values, v, context);
  return v;
}

}  // namespace kernmix
