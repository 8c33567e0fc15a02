#include "kernel/bank/combined_factor.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "blas_threads.hpp"
#include "kernmix/kernel/bank.hpp"
#include "linear_algebra.hpp"
#include "parallel.hpp"

namespace kernmix {
namespace {

/// Z'Z: sums over at most eight ranges of rows, added in order.
RowMatrix gram_of_columns(const Matrix& Z, const Context& context) {
  constexpr Index most_ranges = 8;
  const Index ranges = std::clamp<Index>(Z.rows / 1024, 1, most_ranges);
  std::vector<RowMatrix> parts(static_cast<std::size_t>(ranges));
  parallel_for(context, ranges, [&](Index k) {
    const Index begin = Z.rows * k / ranges;
    const Index rows = Z.rows * (k + 1) / ranges - begin;
    RowMatrix& part = parts[static_cast<std::size_t>(k)];
    part = RowMatrix::Zero(Z.cols, Z.cols);
    part.selfadjointView<Eigen::Upper>().rankUpdate(
        as_matrix(Z).middleRows(begin, rows).transpose());
  });
  for (std::size_t k = 1; k < parts.size(); ++k) parts.front() += parts[k];
  return parts.front().selfadjointView<Eigen::Upper>();
}

/// G = L L' up to a residual diagonal of `negligible` times the largest entry.
struct ColumnPivots {
  std::vector<Index> chosen;
  Eigen::MatrixXd L;  ///< R x |chosen|
};

ColumnPivots choose_columns(const RowMatrix& G) {
  constexpr double negligible = 1e-14;
  ColumnPivots pivots;
  pivots.L.resize(G.rows(), G.rows());
  Eigen::VectorXd residual = G.diagonal();
  const double least = negligible * residual.maxCoeff();
  while (length(pivots.chosen) < G.rows()) {
    Index p = 0;
    const double largest = residual.maxCoeff(&p);
    if (!(largest > least)) break;
    const Index k = length(pivots.chosen);
    auto column = pivots.L.col(k);
    column = G.col(p);
    column.noalias() -= pivots.L.leftCols(k) * pivots.L.row(p).head(k).transpose();
    column /= std::sqrt(largest);
    residual -= column.cwiseAbs2();
    residual[p] = 0.0;
    pivots.chosen.push_back(p);
  }
  pivots.L.conservativeResize(Eigen::NoChange, length(pivots.chosen));
  return pivots;
}

/// X with Z Z' = Z_P X X' Z_P': the columns of Z are Z_P T', T = L L_P^{-1}, so X X' = T'T.
Eigen::MatrixXd core_of_columns(const ColumnPivots& pivots) {
  const Eigen::MatrixXd L_P = pivots.L(pivots.chosen, Eigen::all);
  Eigen::MatrixXd T = pivots.L;
  L_P.triangularView<Eigen::Lower>().solveInPlace<Eigen::OnTheRight>(T);
  return Eigen::LLT<Eigen::MatrixXd>(T.transpose() * T).matrixL();
}

}  // namespace

Matrix compressed(Matrix Z, const Context& context) {
  constexpr double worthwhile = 0.75;
  constexpr Index rows_at_once = 1024;
  if (Z.cols < 2) return Z;
  const SerialBlas serial;
  const ColumnPivots pivots = choose_columns(gram_of_columns(Z, context));
  const Index rank = length(pivots.chosen);
  if (static_cast<double>(rank) > worthwhile * static_cast<double>(Z.cols)) return Z;
  const Eigen::MatrixXd X = core_of_columns(pivots);
  Matrix W(Z.rows, rank);
  parallel_for(context, (Z.rows + rows_at_once - 1) / rows_at_once, [&](Index k) {
    const Index rows = std::min(rows_at_once, Z.rows - k * rows_at_once);
    const auto part = as_matrix(std::as_const(Z)).middleRows(k * rows_at_once, rows);
    as_matrix(W).middleRows(k * rows_at_once, rows).noalias() =
        RowMatrix(part(Eigen::all, pivots.chosen)) * X;
  });
  return W;
}

Index KernelBank::factor_columns(ConstSpan /*d*/) const { return -1; }

Matrix KernelBank::combined_factor(ConstSpan /*d*/, const Context& /*context*/) const {
  throw std::logic_error("this bank keeps no factors: ask factor_columns first");
}

}  // namespace kernmix
