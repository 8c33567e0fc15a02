#include "kernel/bank/shared_basis.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernel/bank/simd.hpp"
#include "linear_algebra.hpp"

namespace kernmix {
namespace {

/// Vectors s for which the sum of |A s|^2 tells the squared norm of A, of `columns` columns: the
/// unit vectors where they are few, else some of random signs, whose mean tells it.
std::vector<Vector> probe_vectors(Index columns) {
  constexpr Index few = 2;
  std::vector<Vector> probes(static_cast<std::size_t>(std::min(columns, few)),
                             Vector(static_cast<std::size_t>(columns), 0.0));
  std::uint64_t state = 0;
  for (Index k = 0; k < length(probes); ++k) {
    Vector& probe = probes[static_cast<std::size_t>(k)];
    if (columns <= few) {
      probe[static_cast<std::size_t>(k)] = 1.0;
      continue;
    }
    for (double& value : probe) {
      state = 6364136223846793005U * state + 1442695040888963407U;  // Knuth's generator
      value = state >> 63U != 0 ? 1.0 : -1.0;
    }
  }
  return probes;
}

}  // namespace

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

SharedBasis shared_basis(Factorization found) {
  const Matrix L = pivot_rows(found);
  SharedBasis basis{std::move(found.pivots), std::move(found.columns)};
  interpolate(L, basis.columns);
  return basis;
}

bool may_hold(const SharedBasis& basis, Index place, ConstSpan coefficients, ConstSpan row,
              double missing) {
  constexpr double rounding = 1e-12;
  double held = 0.0;
  for (std::size_t p = 0; p < coefficients.size(); ++p) {
    held += coefficients[p] * row[static_cast<std::size_t>(basis.places[p])];
  }
  const double diagonal = row[static_cast<std::size_t>(place)];
  // <phi, phi - sum_p X_p phi_p>, where the second is no longer than sqrt(missing).
  return std::abs(diagonal - held) <= 2.0 * std::sqrt(missing * diagonal) + rounding * diagonal;
}

std::optional<Matrix> core_in(const SharedBasis& basis, const Factorization& kernel, double trace,
                              double tolerance) {
  const Matrix& columns = kernel.columns;
  if (columns.rows > basis.rank()) return std::nullopt;
  Matrix core(columns.rows, basis.rank());
  for (Index c = 0; c < core.rows; ++c) {
    for (Index p = 0; p < core.cols; ++p) {
      core(c, p) = columns(c, basis.places[static_cast<std::size_t>(p)]);
    }
  }
  const std::vector<Vector> probes = probe_vectors(columns.rows);
  double sum = 0.0;
  Vector missing(static_cast<std::size_t>(columns.cols));
  Vector on_pivots(static_cast<std::size_t>(basis.rank()));
  for (const Vector& probe : probes) {
    std::ranges::fill(missing, 0.0);
    std::ranges::fill(on_pivots, 0.0);
    simd::add_rows(columns.values.data(), columns.cols, nullptr, probe.data(), columns.rows,
                   missing.data(), columns.cols);
    simd::add_rows(core.values.data(), core.cols, nullptr, probe.data(), core.rows,
                   on_pivots.data(), core.cols);
    for (double& value : on_pivots) value = -value;
    simd::add_rows(basis.columns.values.data(), basis.columns.cols, nullptr, on_pivots.data(),
                   basis.rank(), missing.data(), columns.cols);
    sum += simd::dot(missing.data(), missing.data(), length(missing));
  }
  const bool exact = length(probes) == columns.rows;
  if (!exact) sum /= static_cast<double>(probes.size());
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
