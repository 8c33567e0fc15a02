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

/// Z'Z, its lower triangle: sums over at most eight ranges of rows, added in order. No sum is
/// larger than the rows that it is made of.
Eigen::MatrixXd gram_by_ranges(const Matrix& Z, Index ranges, const Context& context) {
  std::vector<Eigen::MatrixXd> parts(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index k) {
    const Index begin = Z.rows * k / ranges;
    const Index rows = Z.rows * (k + 1) / ranges - begin;
    Eigen::MatrixXd& part = parts[static_cast<std::size_t>(k)];
    part = Eigen::MatrixXd::Zero(Z.cols, Z.cols);
    for (Index row = 0; row < rows && !context.should_stop(); row += rows_between_looks) {
      part.selfadjointView<Eigen::Lower>().rankUpdate(
          as_matrix(Z)
              .middleRows(begin + row, std::min(rows_between_looks, rows - row))
              .transpose());
    }
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  return std::move(parts.front());
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

/// Tiles where the sums of ranges would take more than an eighth of the memory of Z.
Eigen::MatrixXd gram_of_columns(const Matrix& Z, const Context& context) {
  constexpr Index most_ranges = 8;
  constexpr Index share = 8;
  const Index ranges = std::clamp<Index>(Z.rows / std::max<Index>(Z.cols, 1024), 1, most_ranges);
  if (ranges > 1 && share * ranges * Z.cols > Z.rows) return gram_by_tiles(Z, context);
  return gram_by_ranges(Z, ranges, context);
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
  return static_cast<std::size_t>(columns * std::max(squares * columns, columns + rows)) *
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
