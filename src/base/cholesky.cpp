#include "base/cholesky.hpp"

#include <algorithm>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/lapack.hpp"
#include "base/parallel.hpp"

namespace kernmix {
namespace {

/// The routines of one precision.
template <typename Scalar>
struct Routines;

template <>
struct Routines<double> {
  static constexpr auto potrf = dpotrf_;
  static constexpr auto potrs = dpotrs_;
  static constexpr auto trtrs = dtrtrs_;
  static constexpr auto trsv = dtrsv_;
};

template <>
struct Routines<float> {
  static constexpr auto potrf = spotrf_;
  static constexpr auto potrs = spotrs_;
  static constexpr auto trtrs = strtrs_;
  static constexpr auto trsv = strsv_;
};

/// S_ji <- S_ij for all i > j; tile by tile.
template <typename Scalar>
void mirror(RowMatrixOf<Scalar>& S) {
  constexpr Index tile = 32;
  const Index n = S.rows();
  for (Index row = 0; row < n; row += tile) {
    for (Index col = 0; col <= row; col += tile) {
      for (Index i = row; i < std::min(row + tile, n); ++i) {
        for (Index j = col; j < std::min(col + tile, i); ++j) {
          S(j, i) = S(i, j);
        }
      }
    }
  }
}

/// The lower triangle of S, in column-major order, becomes L. False if S is not positive definite.
template <typename Scalar>
bool factorise(Eigen::Ref<Eigen::MatrixX<Scalar>> S) {
  const int n = lapack::size(S.rows());
  const int stride = lapack::stride(S.outerStride());
  int info = 0;
  Routines<Scalar>::potrf("L", &n, S.data(), &stride, &info, 1);
  return info == 0;
}

/// The same block by block: a block of columns is factorised and updates those to its right.
template <typename Scalar>
bool factorise_blocks(Eigen::Ref<Eigen::MatrixX<Scalar>> S, const Context& context) {
  constexpr Index side = 512;
  const SerialBlas serial;
  const Index n = S.rows();
  for (Index k = 0; k < n; k += side) {
    const Index width = std::min(side, n - k);
    auto head = S.block(k, k, width, width);
    if (!factorise<Scalar>(head)) return false;
    const Index first = k + width;
    const Index blocks = blocks_of(n - first, side);
    const auto rows = [&](Index b) { return std::min(side, n - first - b * side); };
    const auto panel = [&](Index b) { return S.block(first + b * side, k, rows(b), width); };
    parallel_for(context, blocks, [&](Index b) {
      auto own = panel(b);
      head.template triangularView<Eigen::Lower>()
          .transpose()
          .template solveInPlace<Eigen::OnTheRight>(own);
    });
    parallel_for(context, blocks * blocks, [&](Index pair) {
      const Index i = pair / blocks;
      const Index j = pair % blocks;
      if (j > i) return;
      auto own = S.block(first + i * side, first + j * side, rows(i), rows(j));
      if (i == j) {
        own.template selfadjointView<Eigen::Lower>().rankUpdate(panel(i), Scalar{-1});
      } else {
        own.noalias() -= panel(i) * panel(j).transpose();
      }
    });
  }
  return true;
}

}  // namespace

// L' in row-major order is L in column-major order, that is LAPACK's lower triangle, which OpenBLAS
// factorises faster than the upper one.

template <typename Scalar>
CholeskyOf<Scalar>::CholeskyOf(RowMatrixOf<Scalar>&& S)
    : L_(std::move(S)), diagonal_(L_.diagonal()) {}

template <typename Scalar>
std::optional<CholeskyOf<Scalar>> CholeskyOf<Scalar>::of(RowMatrixOf<Scalar>&& S,
                                                         const Context& context) {
  constexpr Index many = 1024;  // LAPACK's own blocks are as fast up to here
  CholeskyOf factor(std::move(S));
  RowMatrixOf<Scalar>& L = factor.L_;
  mirror(L);
  Eigen::Map<Eigen::MatrixX<Scalar>> lower(L.data(), L.rows(), L.rows());
  const bool definite =
      L.rows() > many ? factorise_blocks<Scalar>(lower, context) : factorise<Scalar>(lower);
  if (definite && L.diagonal().allFinite()) return factor;
  S = std::move(factor).restored();
  return std::nullopt;
}

template <typename Scalar>
auto CholeskyOf<Scalar>::solve(Vector b) const -> Vector {
  solve_in_place(b);
  return b;
}

template <typename Scalar>
void CholeskyOf<Scalar>::solve_in_place(Columns B) const {
  const int n = lapack::size(L_.rows());
  const int columns = lapack::size(B.cols());
  const int stride = lapack::stride(n);
  if (columns == 1) {  // faster: for several columns potrs packs L
    const int next = 1;
    Routines<Scalar>::trsv("L", "N", "N", &n, L_.data(), &stride, B.data(), &next);
    Routines<Scalar>::trsv("L", "T", "N", &n, L_.data(), &stride, B.data(), &next);
    return;
  }
  const int stride_B = lapack::stride(B.outerStride());
  int info = 0;
  Routines<Scalar>::potrs("L", &n, &columns, L_.data(), &stride, B.data(), &stride_B, &info, 1);
}

template <typename Scalar>
void CholeskyOf<Scalar>::solve_half_in_place(Columns B) const {
  const int n = lapack::size(L_.rows());
  const int columns = lapack::size(B.cols());
  const int stride = lapack::stride(n);
  const int stride_B = lapack::stride(B.outerStride());
  int info = 0;
  Routines<Scalar>::trtrs("L", "N", "N", &n, &columns, L_.data(), &stride, B.data(), &stride_B,
                          &info, 1, 1, 1);
}

template <typename Scalar>
RowMatrixOf<Scalar> CholeskyOf<Scalar>::restored() && {
  mirror(L_);
  L_.diagonal() = diagonal_;
  return std::move(*this).released();
}

template <typename Scalar>
RowMatrixOf<Scalar> CholeskyOf<Scalar>::released() && {
  return std::move(L_);
}

template class CholeskyOf<double>;
template class CholeskyOf<float>;

template <typename Scalar>
double mean_of_diagonal(const RowMatrixOf<Scalar>& S) {
  using Limits = std::numeric_limits<Scalar>;
  constexpr double least = double{Limits::min()} / double{Limits::epsilon()};
  return std::max(S.diagonal().template cast<double>().mean(), least);
}

template double mean_of_diagonal(const RowMatrix& S);
template double mean_of_diagonal(const RowMatrixF& S);

template <typename Scalar>
std::optional<CholeskyOf<Scalar>> cholesky_with_ridge(std::type_identity_t<RowMatrixOf<Scalar>>&& S,
                                                      const Ridge& ridge, const Context& context) {
  S.diagonal().array() += static_cast<Scalar>(ridge.always);
  auto factor = CholeskyOf<Scalar>::of(std::move(S), context);
  for (double more = ridge.first; !factor && more > 0.0 && more <= ridge.most;
       more *= ridge.growth) {
    // NOLINTNEXTLINE(bugprone-use-after-move): S is as it was where there is no factor
    S.diagonal().array() += static_cast<Scalar>(more);
    factor = CholeskyOf<Scalar>::of(std::move(S), context);
  }
  return factor;
}

template std::optional<Cholesky> cholesky_with_ridge<double>(RowMatrix&& S, const Ridge& ridge,
                                                             const Context& context);
template std::optional<CholeskyF> cholesky_with_ridge<float>(RowMatrixF&& S, const Ridge& ridge,
                                                             const Context& context);

}  // namespace kernmix
