/// Eigenvectors of the smallest eigenvalues against what defines them.

#include "model/kernels/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

#include "base/symmetric.hpp"

namespace kernmix::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class LowestEigenvectors : public ::testing::TestWithParam<Index> {};

/// Panels of 32 columns: sizes below, at and beyond one and several of them.
TEST_P(LowestEigenvectors, AreOrthonormalAndBelongToTheirValues) {
  const Index rows = GetParam();
  std::srand(static_cast<unsigned>(rows));
  const MatrixXd A = MatrixXd::Random(rows, rows);
  const MatrixXd S = A + A.transpose();
  const double size = S.norm();
  const auto negative = [](const VectorXd& values) { return (values.array() < 0.0).count(); };
  int steps = 0;
  const LowestEigen found = lowest_eigen(S, negative, [&] { ++steps; });
  EXPECT_LE((found.values - symmetric_eigenvalues(S)).norm(), 1e-12 * size);
  const Index count = found.vectors.cols();
  EXPECT_EQ(count, negative(found.values));
  EXPECT_LE((found.vectors.transpose() * found.vectors - MatrixXd::Identity(count, count)).norm(),
            1e-10 * static_cast<double>(rows));
  const MatrixXd image = found.vectors * found.values.head(count).asDiagonal();
  EXPECT_LE((S * found.vectors - image).norm(), 1e-11 * size);
  EXPECT_EQ(steps > 2, rows > 64);
}

INSTANTIATE_TEST_SUITE_P(Sizes, LowestEigenvectors, ::testing::Values(1, 2, 31, 64, 65, 97, 150));

TEST(LowestEigenvectors, OfARepeatedValue) {
  MatrixXd S = MatrixXd::Identity(80, 80);
  S.topLeftCorner(5, 5) *= -2.0;
  const LowestEigen found = lowest_eigen(
      S, [](const VectorXd&) { return Index{5}; }, [] {});
  EXPECT_LE((found.vectors.transpose() * found.vectors - MatrixXd::Identity(5, 5)).norm(), 1e-12);
  EXPECT_LE((S * found.vectors + 2.0 * found.vectors).norm(), 1e-12);
}

TEST(LowestEigenvectors, StopBetweenSteps) {
  const MatrixXd S = MatrixXd::Identity(200, 200);
  int steps = 0;
  const auto stop = [&] {
    if (++steps == 3) throw std::runtime_error("stop");
  };
  EXPECT_THROW((void)lowest_eigen(
                   S, [](const VectorXd&) { return Index{1}; }, stop),
               std::runtime_error);
  EXPECT_EQ(steps, 3);
}

}  // namespace
}  // namespace kernmix::testing
