#include "bank/family/family_build.hpp"

#include <algorithm>
#include <numeric>

#include "bank/family/shared_basis.hpp"
#include "base/blas_threads.hpp"
#include "base/linear_algebra.hpp"
#include "base/parallel.hpp"
#include "base/samples.hpp"
#include "base/simd.hpp"

namespace kernmix {
namespace {

constexpr Index samples_per_family_block = 1024;
/// Columns of pivots near rounding may be mostly rounding at samples far from all pivots, so that S
/// looks indefinite. Then pivots are left out when this part of their trace remains, and the next
/// ones are chosen among all samples.
constexpr double kLeftOut = 1e-9;

/// out = sum_k K_k[rows, cols] / traces_k; kernels with the same comparison are consecutive.
void sum_block(const std::vector<const KernelSource*>& kernels, const Vector& traces,
               std::span<const Index> rows, std::span<const Index> cols, MutableSpan out) {
  std::ranges::fill(out, 0.0);
  Vector compared(out.size());
  Vector entries(out.size());
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const auto comparison = kernels[k]->comparison();
    const auto before = k > 0 ? kernels[k - 1]->comparison() : std::nullopt;
    const bool known = comparison && before && !(*comparison < *before) && !(*before < *comparison);
    if (!known) kernels[k]->compare(rows, cols, compared);
    entries = compared;
    kernels[k]->finish(rows, cols, entries);
    simd::add_scaled(1.0 / traces[k], entries.data(), out.data(), length(entries));
  }
}

/// Columns [begin, end) of a matrix.
auto part(Matrix& M, Index begin, Index end) { return as_matrix(M).middleCols(begin, end - begin); }

}  // namespace

FamilyBasis family_basis(const std::vector<const KernelSource*>& kernels,
                         const std::vector<Index>& pivots, double tolerance, Index most_rank,
                         const Context& context) {
  const SerialBlas serial;
  const Index n = kernels.front()->rows();
  const std::vector<Index> samples = all_samples(n);
  FamilyBasis basis;
  RowwiseMatrix S;
  S.diagonal.assign(static_cast<std::size_t>(n), 0.0);
  Vector diagonal(S.diagonal.size());
  for (const KernelSource* kernel : kernels) {
    kernel->left_diagonal(diagonal);
    const double trace = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
    basis.traces.push_back(trace == 0.0 ? 1.0 : trace);
    simd::add_scaled(1.0 / basis.traces.back(), diagonal.data(), S.diagonal.data(), n);
  }
  basis.largest = *std::ranges::max_element(S.diagonal);
  S.row = [&](Index p, Index begin, Index end, double* out) {
    sum_block(kernels, basis.traces, slice(samples, p, p + 1), slice(samples, begin, end),
              {out, to_size(end - begin)});
  };
  // The pivots to begin with, in the order that suits S, all at once.
  RowwiseMatrix on_pivots;
  for (const Index p : pivots) {
    on_pivots.diagonal.push_back(S.diagonal[static_cast<std::size_t>(p)]);
  }
  on_pivots.row = [&](Index p, Index begin, Index end, double* out) {
    sum_block(kernels, basis.traces, slice(pivots, p, p + 1), slice(pivots, begin, end),
              {out, to_size(end - begin)});
  };
  const auto begin_with = [&](double left_out) {
    const Factorization small = incomplete_cholesky(on_pivots, left_out, length(pivots), context);
    const Matrix rows = pivot_rows(small);
    Factorization begun;
    for (const Index p : small.pivots) begun.pivots.push_back(pivots[static_cast<std::size_t>(p)]);
    begun.residual = S.diagonal;
    reserve_columns(begun.columns.values, small.rank(), n);
    begun.columns.rows = small.rank();
    begun.columns.cols = n;
    begun.columns.values.resize(to_size(small.rank() * n));
    parallel_blocks(context, n, samples_per_family_block, [&](Index, Index begin, Index end) {
      Matrix block(begun.columns.rows, end - begin);
      sum_block(kernels, basis.traces, begun.pivots, slice(samples, begin, end), block.values);
      as_matrix(rows).triangularView<Eigen::Lower>().solveInPlace(as_matrix(block));
      part(begun.columns, begin, end) = as_matrix(block);
      as_vector(MutableSpan(begun.residual)).segment(begin, end - begin) -=
          as_matrix(block).colwise().squaredNorm().transpose();
    });
    for (const Index p : begun.pivots) begun.residual[static_cast<std::size_t>(p)] = 0.0;
    return begun;
  };
  const auto found = [&](double left_out) {
    Factorization begun;
    if (!pivots.empty()) begun = begin_with(left_out);
    return incomplete_cholesky(S, tolerance, most_rank, std::move(begun), context);
  };
  basis.found = found(0.0);
  if (!pivots.empty() && basis.found.outcome == Factorization::Outcome::indefinite) {
    basis.found = found(kLeftOut);
  }
  return basis;
}

void interpolate(FamilyBasis& basis, const Context& context) {
  const SerialBlas serial;
  const Matrix rows = pivot_rows(basis.found);
  Matrix& columns = basis.found.columns;
  const auto on_block = [&](Index, Index begin, Index end) {
    Matrix block(columns.rows, end - begin);
    as_matrix(block) = part(columns, begin, end);
    interpolate(rows, block);
    part(columns, begin, end) = as_matrix(block);
  };
  parallel_blocks(context, columns.cols, samples_per_family_block, on_block);
}

std::optional<FactorFamily> build_family(const std::vector<const KernelSource*>& kernels,
                                         const std::vector<Index>& numbers,
                                         const std::vector<Index>& pivots, double tolerance,
                                         Index most_rank, const Context& context) {
  FamilyBasis basis = family_basis(kernels, pivots, tolerance, most_rank, context);
  if (basis.found.outcome != Factorization::Outcome::complete) return std::nullopt;
  FactorFamily family{numbers, {}, {}};
  if (kernels.size() == 1) {
    // Of K over its trace.
    as_matrix(basis.found.columns) *= std::sqrt(basis.traces.front());
  } else {
    interpolate(basis, context);
    const std::vector<Index>& P = basis.found.pivots;
    for (const KernelSource* kernel : kernels) {
      Matrix C(basis.found.rank(), basis.found.rank());
      kernel->block(P, P, C.values);
      family.cores.push_back(core_factor(C, context));
    }
  }
  family.columns = std::move(basis.found.columns);
  return family;
}

}  // namespace kernmix
