/// \file
/// Factors of combined kernels against K(d) from the definition.

#include "bank/family/combined_factor.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <numeric>
#include <random>

#include "bank/stored_bank.hpp"
#include "base/linear_algebra.hpp"
#include "factor_family.hpp"

namespace kernmix {
namespace {

using kernmix::testing::alone;

Matrix normal_matrix(unsigned seed, Index rows, Index cols) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  Matrix Z(rows, cols);
  for (double& value : Z.values) value = normal(engine);
  return Z;
}

double entry(const Matrix& Z, Index i, Index j) {
  return std::inner_product(Z.row(i).begin(), Z.row(i).end(), Z.row(j).begin(), 0.0);
}

constexpr Index n = 60;

TEST(CombinedFactor, IsAFactorOfTheWeightedSum) {
  const std::vector<Matrix> factors = {normal_matrix(1, n, 3), normal_matrix(2, n, 70),
                                       normal_matrix(3, n, 1)};
  StoredBank bank(n, 3);
  for (Index m = 0; m < 3; ++m) bank.keep(alone(m, factors[static_cast<std::size_t>(m)]), false);
  for (const Vector& d : {Vector{0.5, 2.0, 0.1}, Vector{1.0, 0.0, 3.0}, Vector{0.0, 0.0, 0.0}}) {
    const Matrix Z = bank.combined(d)->factor(Context{});
    EXPECT_LE(Z.cols, bank.combined(d)->columns());
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        double sum = 0.0;
        for (std::size_t m = 0; m < d.size(); ++m) sum += d[m] * entry(factors[m], i, j);
        EXPECT_NEAR(entry(Z, i, j), sum, 1e-10 * (1.0 + std::abs(sum)));
      }
    }
  }
  EXPECT_EQ(bank.combined(Vector{1.0, 0.0, 3.0})->columns(), 4);
}

/// Kernels that share their columns give no more columns than one of them.
TEST(CombinedFactor, DropsColumnsThatSayNothingNew) {
  const Matrix Z = normal_matrix(4, n, 5);
  StoredBank bank(n, 4);
  for (Index copy = 0; copy < 4; ++copy) bank.keep(alone(copy, Z), false);
  const Matrix W = bank.combined(Vector{1.0, 2.0, 3.0, 4.0})->factor(Context{});
  EXPECT_EQ(W.cols, 5);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) EXPECT_NEAR(entry(W, i, j), 10.0 * entry(Z, i, j), 1e-9);
  }
}

TEST(CombinedFactor, IsTheSameForAnyNumberOfThreads) {
  const Matrix Z = normal_matrix(5, 5000, 12);
  StoredBank bank(Z.rows, 2);
  bank.keep(alone(0, Z), false);
  bank.keep(alone(1, Z), false);
  Context two;
  two.threads = 2;
  const Vector d = {1.0, 0.3};
  EXPECT_EQ(bank.combined(d)->factor(Context{}).values, bank.combined(d)->factor(two).values);
}

TEST(CombinedFactor, NeedsFactorsOfAllKernelsWithWeight) {
  StoredBank bank(n, 2);
  bank.keep(alone(0, normal_matrix(1, n, 3)), false);
  bank.keep(1, Packed<double>(n));
  EXPECT_EQ(bank.combined(Vector{1.0, 1.0})->columns(), -1);
  EXPECT_EQ(bank.combined(Vector{1.0, 0.0})->columns(), 3);
}

/// Many columns, whose products are summed tile by tile, and few, summed by ranges of rows.
TEST(CombinedFactor, DropsColumnsOfLongFactors) {
  constexpr Index rows = 4096;
  constexpr Index rank = 40;
  for (const Index columns : {Index{50}, Index{300}}) {
    const Matrix thin = normal_matrix(5, rows, rank);
    const Matrix mix = normal_matrix(6, rank, columns);
    Matrix Z(rows, columns);
    as_matrix(Z).noalias() = as_matrix(thin) * as_matrix(mix);
    const Matrix W = compressed(Z, Context{});
    EXPECT_LE(W.cols, 60);
    for (const Index i : {0, 7, 1023, 1024, 4095}) {
      for (const Index j : {0, 2048, 4095}) {
        EXPECT_NEAR(entry(W, i, j), entry(Z, i, j), 1e-8 * std::abs(entry(Z, i, i)));
      }
    }
    Context several;
    several.threads = 3;
    EXPECT_EQ(compressed(Z, several).values, W.values);
  }
}

TEST(CombinedFactor, IsLeftAsItIsWhenTimeIsOver) {
  const Matrix Z = normal_matrix(4, n, 5);
  StoredBank bank(n, 4);
  for (Index copy = 0; copy < 4; ++copy) bank.keep(alone(copy, Z), false);
  Context late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::hours(1);
  const Matrix W = bank.combined(Vector{1.0, 2.0, 3.0, 4.0})->factor(late);
  EXPECT_EQ(W.cols, 20);
  EXPECT_NEAR(entry(W, 3, 4), 10.0 * entry(Z, 3, 4), 1e-9);
}

}  // namespace
}  // namespace kernmix
