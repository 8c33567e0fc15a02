/// \file
/// FreeBlockFactor of free samples by a factor in single precision.

#include "weights/free_block_factor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <utility>

namespace kernmix {
namespace {

constexpr Index kWhitened = 300;

/// Of points between 0 and `length`, evenly spaced: the shorter, the closer to rank one.
Eigen::MatrixXd gaussian_kernel(double length) {
  return Eigen::MatrixXd::NullaryExpr(kWhitened, kWhitened, [&](Index i, Index j) {
    const double distance = length * static_cast<double>(i - j) / kWhitened;
    return std::exp(-distance * distance);
  });
}

/// U = K a for smooth and for rough a, as the products that are whitened are.
Eigen::MatrixXd products(const Eigen::MatrixXd& K) {
  std::srand(1);
  return K * Eigen::MatrixXd::Random(kWhitened, 3);
}

TEST(RoundedWhitening, GivesTheFormsOfTheMatrixWithItsRidge) {
  const Eigen::MatrixXd K = gaussian_kernel(100.0);
  const Eigen::MatrixXd U = products(K);
  Eigen::MatrixXd whitened = U;
  const auto whitening = RoundedWhitening::of(K.cast<float>());
  ASSERT_TRUE(whitening);
  whitening->apply(whitened);
  const auto exact = cholesky_with_ridge(K, {1e-6, 0.0, 1.0});
  ASSERT_TRUE(exact);
  Eigen::MatrixXd solution = U;
  exact->solve_in_place(solution);
  const Eigen::MatrixXd forms = U.transpose() * solution;
  EXPECT_LE((whitened.transpose() * whitened - forms).norm(), 1e-3 * forms.norm());
  Eigen::MatrixXd solved = U;
  whitening->solve(solved);
  EXPECT_LE((U.transpose() * solved - forms).norm(), 1e-3 * forms.norm());
}

TEST(RoundedWhitening, RaisesTheRidgeUntilAnIndefiniteMatrixHasAFactor) {
  Eigen::MatrixXd K = gaussian_kernel(1.0);
  K.diagonal().array() -= 1e-3;
  Eigen::MatrixXd whitened = products(K);
  RoundedWhitening::of(K.cast<float>()).value().apply(whitened);
  EXPECT_TRUE(whitened.allFinite());
  // a'K (K + ridge)^-1 K a <= a'K a, but for the diagonal that was taken away
  EXPECT_GT(whitened.squaredNorm(), 0.0);
}

TEST(RoundedWhitening, IsNotThereForWhatIsNotFinite) {
  EXPECT_FALSE(RoundedWhitening::of(RowMatrixF::Constant(3, 3, std::nanf(""))));
}

}  // namespace
}  // namespace kernmix
