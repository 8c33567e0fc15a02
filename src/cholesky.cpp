#include "cholesky.hpp"

#include <algorithm>
#include <utility>

#include "lapack.hpp"

namespace kernmix {
namespace {

/// S_ji <- S_ij for all i > j where `upwards`, else S_ij <- S_ji; tile by tile.
void mirror(RowMatrix& S, bool upwards) {
  constexpr Index tile = 32;
  const Index n = S.rows();
  for (Index row = 0; row < n; row += tile) {
    for (Index col = 0; col <= row; col += tile) {
      for (Index i = row; i < std::min(row + tile, n); ++i) {
        for (Index j = col; j < std::min(col + tile, i); ++j) {
          (upwards ? S(j, i) : S(i, j)) = upwards ? S(i, j) : S(j, i);
        }
      }
    }
  }
}

}  // namespace

// Row by row, L has the layout of L' column by column: LAPACK's upper triangle.

Cholesky::Cholesky(RowMatrix S) : L_(std::move(S)), diagonal_(L_.diagonal()) {
  mirror(L_, true);
  const int n = lapack::size(L_.rows());
  const int stride = lapack::stride(n);
  int info = 0;
  dpotrf_("U", &n, L_.data(), &stride, &info, 1);
  ok_ = info == 0 && L_.diagonal().allFinite();
}

Eigen::VectorXd Cholesky::solve(Eigen::VectorXd b) const {
  solve_in_place(b);
  return b;
}

void Cholesky::solve_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  const int n = lapack::size(L_.rows());
  const int columns = lapack::size(B.cols());
  const int stride = lapack::stride(n);
  if (columns == 1) {  // dpotrs packs L for many columns
    const int next = 1;
    dtrsv_("U", "T", "N", &n, L_.data(), &stride, B.data(), &next);
    dtrsv_("U", "N", "N", &n, L_.data(), &stride, B.data(), &next);
    return;
  }
  const int stride_B = lapack::stride(B.outerStride());
  int info = 0;
  dpotrs_("U", &n, &columns, L_.data(), &stride, B.data(), &stride_B, &info, 1);
}

void Cholesky::solve_half_in_place(Eigen::Ref<Eigen::MatrixXd> B) const {
  const int n = lapack::size(L_.rows());
  const int columns = lapack::size(B.cols());
  const int stride = lapack::stride(n);
  const int stride_B = lapack::stride(B.outerStride());
  int info = 0;
  dtrtrs_("U", "T", "N", &n, &columns, L_.data(), &stride, B.data(), &stride_B, &info, 1, 1, 1);
}

RowMatrix Cholesky::restored() && {
  mirror(L_, false);
  L_.diagonal() = diagonal_;
  ok_ = false;
  return std::move(L_);
}

double mean_of_diagonal(const RowMatrix& S) {
  return std::max(S.trace() / static_cast<double>(S.rows()), 1e-300);
}

Cholesky cholesky_with_ridge(RowMatrix S, const Ridge& ridge) {
  S.diagonal().array() += ridge.always;
  Cholesky factor(std::move(S));
  for (double more = ridge.first; !factor.ok() && more > 0.0 && more <= ridge.most;
       more *= ridge.growth) {
    S = std::move(factor).restored();
    S.diagonal().array() += more;
    factor = Cholesky(std::move(S));
  }
  return factor;
}

}  // namespace kernmix
