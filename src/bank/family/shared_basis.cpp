#include "bank/family/shared_basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/linear_algebra.hpp"
#include "base/simd.hpp"

namespace kernmix {

Matrix random_signs(Index samples) {
  constexpr Index probes = 4;
  Matrix signs(probes, samples);
  fill_with_signs(MutableSpan(signs.values));
  return signs;
}

Matrix pivot_rows(const Factorization& found) {
  const Index rank = found.rank();
  Matrix rows(rank, rank);
  for (Index p = 0; p < rank; ++p) {
    const Index at = found.pivots[static_cast<std::size_t>(p)];
    for (Index c = 0; c <= p; ++c) rows(p, c) = found.columns(c, at);
  }
  return rows;
}

void interpolate(const Matrix& pivot_rows, Matrix& columns) {
  as_matrix(pivot_rows).transpose().triangularView<Eigen::Upper>().solveInPlace(as_matrix(columns));
}

SharedBasis shared_basis(Factorization& found, const Matrix& pivot_rows, const Matrix& signs) {
  SharedBasis basis{std::move(found.pivots), std::move(found.columns), {}};
  interpolate(pivot_rows, basis.columns);
  basis.signs_on_places = Matrix(signs.rows, basis.rank());
  as_matrix(basis.signs_on_places) = as_matrix(signs) * as_matrix(basis.columns).transpose();
  return basis;
}

bool may_hold(const SharedBasis& basis, Index place, ConstSpan coefficients, const float* row,
              double missing) {
  constexpr double rounding = 2e-6;  // of single precision, times sum_p |X_p|
  const auto term = [&](std::size_t p) {
    return coefficients[p] * static_cast<double>(row[basis.places[p]]);
  };
  // In four sums, which need not wait for each other.
  std::array<double, 4> sums{};
  std::size_t p = 0;
  for (; p + sums.size() <= coefficients.size(); p += sums.size()) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += term(p + k);
  }
  for (; p < coefficients.size(); ++p) sums[0] += term(p);
  const double held = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  const auto diagonal = static_cast<double>(row[place]);
  // <phi, phi - sum_p X_p phi_p>, where the second is no longer than sqrt(missing).
  return std::abs(diagonal - held) <= 2.0 * std::sqrt(missing * diagonal) + rounding * diagonal;
}

std::optional<Matrix> core_in(const SharedBasis& basis, const Matrix& signs,
                              const Factorization& kernel, double trace, double tolerance) {
  const Matrix& columns = kernel.columns;
  if (columns.rows > basis.rank()) return std::nullopt;
  Matrix core(columns.rows, basis.rank());
  for (Index c = 0; c < core.rows; ++c) {
    for (Index p = 0; p < core.cols; ++p) {
      core(c, p) = columns(c, basis.places[static_cast<std::size_t>(p)]);
    }
  }
  double sum = 0.0;
  for (Index t = 0; t < signs.rows; ++t) {
    for (Index c = 0; c < core.rows; ++c) {
      const double missing =
          simd::dot(columns.row(c).data(), signs.row(t).data(), columns.cols) -
          simd::dot(core.row(c).data(), basis.signs_on_places.row(t).data(), core.cols);
      sum += missing * missing;
    }
  }
  sum /= static_cast<double>(signs.rows);
  if (!(sum <= tolerance * trace)) return std::nullopt;
  return core;
}

Matrix core_factor(const Matrix& C, const Context& context) {
  constexpr double exhausted = 1e-16;
  RowwiseMatrix rows;
  for (Index p = 0; p < C.rows; ++p) rows.diagonal.push_back(C(p, p));
  rows.row = [&C](Index p, Index begin, Index end, double* out) {
    std::copy(C.row(p).begin() + begin, C.row(p).begin() + end, out);
  };
  return incomplete_cholesky(rows, exhausted, C.rows, context).columns;
}

}  // namespace kernmix
