/// Factors and eigenvalues against what defines them, and against Eigen where they are not unique.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <utility>

#include "base/cholesky.hpp"
#include "base/qr.hpp"
#include "base/symmetric.hpp"
#include "kernmix/error.hpp"

namespace kernmix::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rounding = 1e-10;

MatrixXd random_matrix(Index rows, Index cols, unsigned seed) {
  std::srand(seed);
  return MatrixXd::Random(rows, cols);
}

MatrixXd random_definite(Index n, unsigned seed) {
  const MatrixXd A = random_matrix(n, n + 2, seed);
  const MatrixXd S = A * A.transpose();  // BLAS may round both triangles differently
  return 0.5 * (S + S.transpose());
}

/// Its lower triangle: what is above must not be read.
MatrixXd lower_part(MatrixXd S) {
  for (Index j = 1; j < S.cols(); ++j) {
    for (Index i = 0; i < j; ++i) S(i, j) = std::numeric_limits<double>::quiet_NaN();
  }
  return S;
}

class Decompositions : public ::testing::TestWithParam<Index> {};

template <typename Scalar>
void expect_solves_and_gives_back(const MatrixXd& matrix, double tolerance) {
  using Matrix = Eigen::MatrixX<Scalar>;
  const Matrix S = matrix.cast<Scalar>();
  const Index n = S.rows();
  auto factor = CholeskyOf<Scalar>::of(lower_part(matrix).cast<Scalar>());
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->size(), n);
  const Eigen::VectorX<Scalar> b = random_matrix(n, 1, 2).cast<Scalar>();
  EXPECT_LE((S * factor->solve(b) - b).norm(), tolerance * b.norm());
  const Matrix B = random_matrix(n, 3, 3).cast<Scalar>();
  Matrix half = B;
  Matrix X = B;
  factor->solve_in_place(X);
  factor->solve_half_in_place(half);
  EXPECT_LE((S * X - B).norm(), tolerance * B.norm());
  // |L^-1 B|^2 = B'S^-1 B
  EXPECT_LE((half.transpose() * half - B.transpose() * X).norm(), tolerance * half.squaredNorm());
  EXPECT_EQ(Matrix(std::move(*factor).restored()), S);
}

TEST_P(Decompositions, CholeskySolvesAndGivesTheMatrixBack) {
  const Index n = GetParam();
  expect_solves_and_gives_back<double>(random_definite(n, 1), 1e-6);
  expect_solves_and_gives_back<float>(random_definite(n, 1) + MatrixXd::Identity(n, n), 1e-3);
}

/// Blocks side by side: bits are those of one thread, and the matrix comes back.
TEST(CholeskyBlocks, AreThoseOfAnyNumberOfThreads) {
  for (const Index n : {1025, 1600}) {
    const RowMatrix S = random_definite(n, 1) + static_cast<double>(n) * MatrixXd::Identity(n, n);
    expect_solves_and_gives_back<double>(S, 1e-6);
    const VectorXd ones = VectorXd::Ones(n);
    const VectorXd one = Cholesky::of(RowMatrix(S)).value().solve(ones);
    Context context;
    context.threads = 3;
    EXPECT_EQ(Cholesky::of(RowMatrix(S), context).value().solve(ones), one);
    RowMatrix indefinite = S;
    indefinite(n - 1, n - 1) = -1.0;
    const RowMatrix before = indefinite;
    EXPECT_FALSE(Cholesky::of(std::move(indefinite), context));
    EXPECT_EQ(indefinite, before);
    const std::atomic<bool> abandoned = true;
    context.abandoned = &abandoned;
    EXPECT_THROW((void)Cholesky::of(RowMatrix(S), context), ResourceError);
  }
}

TEST_P(Decompositions, TheMemoryOfACholeskyFactorServesTheNextOne) {
  const Index n = GetParam();
  RowMatrix memory = std::move(Cholesky::of(random_definite(n, 1)).value()).released();
  const MatrixXd S = random_definite(n, 2);
  memory.triangularView<Eigen::Lower>() = S;
  EXPECT_EQ(Cholesky::of(std::move(memory)).value().solve(VectorXd::Ones(n)),
            Cholesky::of(S).value().solve(VectorXd::Ones(n)));
}

TEST_P(Decompositions, ARidgeIsAddedOnlyWhereItIsNeeded) {
  const Index n = GetParam();
  const MatrixXd S = random_definite(n, 4);
  EXPECT_EQ(cholesky_with_ridge(S, {0.0, 1.0, 10.0}).value().solve(VectorXd::Ones(n)),
            Cholesky::of(S).value().solve(VectorXd::Ones(n)));
  MatrixXd shifted = S;
  const double least = symmetric_eigenvalues(S)[0];
  shifted.diagonal().array() -= least + 0.5;  // its least eigenvalue is -0.5
  EXPECT_FALSE(Cholesky::of(shifted));
  EXPECT_FALSE(cholesky_with_ridge(shifted, {0.0, 0.01, 10.0, 0.1}));
  const auto factor = cholesky_with_ridge(shifted, {0.0, 0.01, 10.0});
  ASSERT_TRUE(factor);
  shifted.diagonal().array() += 0.01 + 0.1 + 1.0;  // the first sum above 0.5
  const VectorXd b = VectorXd::Ones(n);
  EXPECT_LE((shifted * factor->solve(b) - b).norm(), 1e-6 * b.norm());
}

TEST_P(Decompositions, WithoutAFactorTheMatrixIsLeftAsItWas) {
  const Index n = GetParam();
  MatrixXd S = random_definite(n, 9);
  S.diagonal()[n - 1] = -1.0;  // potrf has overwritten all other columns when it gets there
  RowMatrix memory = lower_part(S);
  EXPECT_FALSE(Cholesky::of(std::move(memory)));
  EXPECT_EQ(memory, RowMatrix(S));
  EXPECT_FALSE(cholesky_with_ridge(std::move(memory), {0.0, 0.0, 10.0}));
  EXPECT_EQ(memory, RowMatrix(S));
}

TEST(MeanOfDiagonal, IsNeverTooSmallForARidge) {
  EXPECT_EQ(mean_of_diagonal(RowMatrix(2.0 * RowMatrix::Identity(3, 3))), 2.0);
  EXPECT_TRUE(
      cholesky_with_ridge(RowMatrix::Zero(3, 3),
                          {1e-6 * mean_of_diagonal(RowMatrix(RowMatrix::Zero(3, 3))), 0.0, 1.0}));
  EXPECT_TRUE(cholesky_with_ridge<float>(
      RowMatrixF::Zero(3, 3),
      {1e-6 * mean_of_diagonal(RowMatrixF(RowMatrixF::Zero(3, 3))), 0.0, 1.0}));
}

TEST_P(Decompositions, EigenvaluesAscendAndRebuildTheMatrix) {
  const Index n = GetParam();
  const MatrixXd A = random_matrix(n, n, 5);
  const MatrixXd S = A + A.transpose();
  const auto [values, V] = symmetric_eigen(lower_part(S));
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  MatrixXd scaled = V;
  for (Index k = 0; k < n; ++k) scaled.col(k) *= values[k];
  EXPECT_LE((scaled * V.transpose() - S).norm(), rounding * S.norm());
  EXPECT_LE((V.transpose() * V - MatrixXd::Identity(n, n)).norm(), rounding * double(n));
  EXPECT_LE((symmetric_eigenvalues(S) - values).norm(), rounding * S.norm());
}

TEST_P(Decompositions, SymmetricSystemsOfAnySigns) {
  const Index n = GetParam();
  const MatrixXd A = random_matrix(n, n, 6);
  const MatrixXd S = A + A.transpose();
  const VectorXd b = random_matrix(n, 1, 7);
  EXPECT_LE((S * solve_symmetric(lower_part(S), b) - b).norm(), 1e-6 * b.norm());
}

TEST_P(Decompositions, QrKeepsTheGramMatrix) {
  const Index n = GetParam();
  const MatrixXd A = random_matrix(2 * n, n, 8);
  const Qr qr(A);
  const MatrixXd R = qr.R();
  EXPECT_LE((R.transpose() * R - A.transpose() * A).norm(), rounding * A.squaredNorm());
  EXPECT_TRUE(R.isUpperTriangular(0.0));
  MatrixXd B = A;
  qr.apply_transposed(B);
  EXPECT_LE((B.topRows(n) - R).norm(), rounding * A.norm());
  EXPECT_LE(B.bottomRows(n).norm(), rounding * A.norm());
  qr.apply(B);
  EXPECT_LE((B - A).norm(), rounding * A.norm());
}

INSTANTIATE_TEST_SUITE_P(Sizes, Decompositions, ::testing::Values(1, 2, 5, 33, 100));

TEST(SolveSymmetric, TakesTheShortestOfManySolutions) {
  MatrixXd S = MatrixXd::Zero(4, 4);
  for (const Index i : {0, 1}) S(i, 0) = S(i, 1) = 2.0;  // rank one; two rows of zeros
  const VectorXd b = as_vector(Vector{3.0, 1.0, 5.0, 0.0});
  // S reaches (2, 2, 0, 0) only of b, by all x whose first two entries add up to 1.
  EXPECT_LE((solve_symmetric(S, b) - as_vector(Vector{0.5, 0.5, 0.0, 0.0})).norm(), 1e-12);
}

TEST(NotFinite, FactorsFailAndEigenvaluesAreNotNumbers) {
  RowMatrix S = RowMatrix::Identity(3, 3);
  S(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(Cholesky::of(RowMatrix(S)));
  EXPECT_FALSE(cholesky_with_ridge(RowMatrix(S), {0.0, 1e-12, 10.0}));
  EXPECT_TRUE(symmetric_eigen(S).values.array().isNaN().all());
  EXPECT_TRUE(symmetric_eigenvalues(S).array().isNaN().all());
}

}  // namespace
}  // namespace kernmix::testing
