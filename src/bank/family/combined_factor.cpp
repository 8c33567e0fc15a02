#include "bank/family/combined_factor.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "bank/family/incomplete_cholesky.hpp"
#include "base/blas_threads.hpp"
#include "base/parallel.hpp"
#include "base/symmetric.hpp"

namespace kernmix {
namespace {

/// Z'Z, its lower triangle: sums over at most eight ranges of rows, added in order. No sum is
/// larger than the rows that it is made of.
RowMatrix gram_of_columns(const Matrix& Z, const Context& context) {
  constexpr Index most_ranges = 8;
  const Index ranges = std::clamp<Index>(Z.rows / std::max<Index>(Z.cols, 1024), 1, most_ranges);
  std::vector<RowMatrix> parts(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index k) {
    const Index begin = Z.rows * k / ranges;
    const Index rows = Z.rows * (k + 1) / ranges - begin;
    RowMatrix& part = parts[static_cast<std::size_t>(k)];
    part = RowMatrix::Zero(Z.cols, Z.cols);
    part.selfadjointView<Eigen::Lower>().rankUpdate(
        as_matrix(Z).middleRows(begin, rows).transpose());
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  return std::move(parts.front());
}

/// Z <- Z V in the memory of Z: a copy would be the largest array of the solver.
void multiply_in_place(Matrix& Z, const RowMatrix& V, const Context& context) {
  constexpr Index rows_at_once = 1024;
  parallel_blocks(context, Z.rows, rows_at_once, [&](Index, Index begin, Index end) {
    auto rows = as_matrix(Z).middleRows(begin, end - begin);
    rows.leftCols(V.cols()) = rows * V;
  });
  for (Index i = 1; i < Z.rows; ++i) {  // the first one is where it stays
    std::copy_n(Z.values.data() + i * Z.cols, V.cols(), Z.values.data() + i * V.cols());
  }
  Z.cols = V.cols();
  Z.values.resize(static_cast<std::size_t>(Z.rows * Z.cols));
}

}  // namespace

Matrix compressed(Matrix Z, const Context& context) {
  constexpr double negligible = 1e-14;
  if (Z.cols < 2) return Z;
  const SerialBlas serial;
  const SymmetricEigen eigen = symmetric_eigen(gram_of_columns(Z, context));
  const Eigen::VectorXd& lambda = eigen.values;
  const double least = negligible * lambda[Z.cols - 1];
  const Index dropped =
      std::count_if(lambda.begin(), lambda.end(), [&](double value) { return value <= least; });
  if (4 * dropped < Z.cols) return Z;
  multiply_in_place(Z, eigen.vectors.rightCols(Z.cols - dropped), context);
  return Z;
}

}  // namespace kernmix
