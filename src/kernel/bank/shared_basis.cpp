#include "kernel/bank/shared_basis.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernel/bank/simd.hpp"
#include "linear_algebra.hpp"

namespace kernmix {
namespace {

/// Rounding of the residual trace, relative to the trace.
constexpr double trace_rounding = 32.0 * std::numeric_limits<double>::epsilon();

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

SharedBasis shared_basis(const Factorization& found, std::span<const Index> samples) {
  SharedBasis basis;
  for (const Index p : found.pivots) {
    basis.pivots.push_back(samples[static_cast<std::size_t>(p)]);
  }
  basis.columns = found.columns;
  interpolate(pivot_rows(found), basis.columns);
  basis.gram = Matrix(found.rank(), found.rank());
  const auto X = as_matrix(basis.columns);
  as_matrix(basis.gram).noalias() = X * X.transpose();
  return basis;
}

bool may_hold(const SharedBasis& basis, const KernelSource& source,
              std::span<const Index> samples) {
  constexpr Index probes = 4;
  constexpr double obvious = 1e-4;
  const Index n = length(samples);
  Vector entries(basis.pivots.size());
  for (Index probe = 0; probe < probes; ++probe) {
    const Index i = (2 * probe + 1) * n / (2 * probes);
    const std::array<Index, 1> sample = {samples[static_cast<std::size_t>(i)]};
    double diagonal = 0.0;
    source.block(sample, sample, {&diagonal, 1});
    source.block(sample, basis.pivots, entries);
    double held = 0.0;
    for (Index p = 0; p < basis.rank(); ++p) {
      held += basis.columns(p, i) * entries[static_cast<std::size_t>(p)];
    }
    if (!(std::abs(diagonal - held) <= obvious * std::abs(diagonal))) return false;
  }
  return true;
}

std::optional<Matrix> core_in(const SharedBasis& basis, const KernelSource& source,
                              std::span<const Index> samples, double tolerance,
                              const Context& context) {
  const Index n = length(samples);
  const Index rank = basis.rank();
  Matrix rows(rank, n);
  source.block(basis.pivots, samples, rows.values);
  Vector diagonal(static_cast<std::size_t>(source.rows()));
  source.left_diagonal(diagonal);
  double trace = 0.0;
  for (const Index i : samples) trace += diagonal[static_cast<std::size_t>(i)];
  const double crossed =
      simd::dot(rows.values.data(), basis.columns.values.data(), length(rows.values));
  Matrix C(rank, rank);
  source.block(basis.pivots, basis.pivots, C.values);
  const double held = simd::dot(C.values.data(), basis.gram.values.data(), length(C.values));
  const double residual = trace - 2.0 * crossed + held;
  if (!(std::abs(residual) <= (tolerance + trace_rounding) * trace)) return std::nullopt;
  return core_factor(C, context);
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
