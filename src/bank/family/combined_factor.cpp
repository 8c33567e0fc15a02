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

constexpr Index rows_multiplied_at_once = 1024;
constexpr Index rows_between_looks = 8192;  // at the clock

/// Z'Z, its lower triangle, as a sum over ranges of rows.
Eigen::MatrixXd gram_by_ranges(const Matrix& Z, Index ranges, const Context& context) {
  return sum_of_ranges(context, Z.rows, ranges, [&](Index begin, Index end) {
    Eigen::MatrixXd part = Eigen::MatrixXd::Zero(Z.cols, Z.cols);
    for (; begin < end && !context.should_stop(); begin += rows_between_looks) {
      part.selfadjointView<Eigen::Lower>().rankUpdate(
          as_matrix(Z).middleRows(begin, std::min(rows_between_looks, end - begin)).transpose());
    }
    return part;
  });
}

/// The same tile by tile, in no other memory.
Eigen::MatrixXd gram_by_tiles(const Matrix& Z, const Context& context) {
  constexpr Index side = 256;
  const Index count = blocks_of(Z.cols, side);
  Eigen::MatrixXd gram(Z.cols, Z.cols);
  const auto columns = [&](Index b) {
    return as_matrix(Z).middleCols(b * side, std::min(side, Z.cols - b * side));
  };
  parallel_for(context, count * count, [&](Index tile) {
    const Index i = tile / count;
    const Index j = tile % count;
    if (j > i || context.should_stop()) return;
    gram.block(i * side, j * side, columns(i).cols(), columns(j).cols()).noalias() =
        columns(i).transpose() * columns(j);
  });
  return gram;
}

/// The number of sums of Z'Z: no sum is larger than the rows that it is made of, and tiles (0)
/// replace them where they would take more than an eighth of the memory of Z.
Index sums_of_gram(Index rows, Index cols) {
  constexpr Index most_ranges = 8;
  constexpr Index share = 8;
  const Index ranges = ranges_of(rows, std::max<Index>(cols, 1024), most_ranges);
  return ranges > 1 && share * ranges * cols > rows ? 0 : ranges;
}

Eigen::MatrixXd gram_of_columns(const Matrix& Z, const Context& context) {
  const Index sums = sums_of_gram(Z.rows, Z.cols);
  return sums == 0 ? gram_by_tiles(Z, context) : gram_by_ranges(Z, sums, context);
}

/// Z <- Z V in the memory of Z: a copy would be the largest array of the solver.
void multiply_in_place(Matrix& Z, const Eigen::Ref<const Eigen::MatrixXd>& V,
                       const Context& context) {
  parallel_blocks(context, Z.rows, rows_multiplied_at_once, [&](Index, Index begin, Index end) {
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

std::size_t compression_bytes(Index n, Index columns, const Context& context) {
  constexpr Index squares = 3;  // Z'Z and what dsyevd needs beside it
  const Index rows = std::min(context.workers() * rows_multiplied_at_once, n);
  const Index sums = std::max(squares, sums_of_gram(n, columns));
  return static_cast<std::size_t>(columns * std::max(sums * columns, columns + rows)) *
         sizeof(double);
}

Matrix compressed(Matrix Z, const Context& context) {
  constexpr double negligible = 1e-14;
  if (Z.cols < 2) return Z;
  const SerialBlas serial;
  Eigen::MatrixXd gram = gram_of_columns(Z, context);
  if (context.should_stop()) return Z;
  const SymmetricEigen eigen = symmetric_eigen(std::move(gram));
  const Eigen::VectorXd& lambda = eigen.values;
  const double least = negligible * lambda[Z.cols - 1];
  const Index dropped =
      std::count_if(lambda.begin(), lambda.end(), [&](double value) { return value <= least; });
  if (4 * dropped < Z.cols) return Z;
  multiply_in_place(Z, eigen.vectors.rightCols(Z.cols - dropped), context);
  return Z;
}

}  // namespace kernmix
