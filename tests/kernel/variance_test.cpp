// The rule `variance`. Oracle: tr K / n - 1'K1 / n^2 by its formula.

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "kernel/reference.hpp"
#include "kernmix/kernel.hpp"
#include "naive_normalization.hpp"

namespace kernmix {
namespace {

const Normalization variance = parse_normalization("variance");

double variance_of(const Eigen::MatrixXd& K) {
  return K.trace() / static_cast<double>(K.rows()) - K.mean();
}

KernelSourcePtr given(const Eigen::MatrixXd& K) {
  auto matrix = std::make_shared<Matrix>(K.rows(), K.cols());
  for (Index i = 0; i < K.rows(); ++i) {
    for (Index j = 0; j < K.cols(); ++j) (*matrix)(i, j) = K(i, j);
  }
  return matrix_source(make_kernel_function("precomputed", {}),
                       std::shared_ptr<const Matrix>(matrix));
}

Eigen::MatrixXd gaussian(Index n, unsigned seed) {
  const MatrixPtr X = random_samples(make_kernel_function("linear", {}), n, 4, seed);
  return as_matrix(evaluate(*feature_source(make_kernel_function("rbf", {{"gamma", 0.2}}), X, X)));
}

/// A Gaussian kernel beside a constant, so that its variance is the share `share` of its trace.
Eigen::MatrixXd nearly_constant(double share, Index n) {
  const Eigen::MatrixXd K = gaussian(n, 7);
  return (K.array() + (variance_of(K) / share - 1.0)).matrix();
}

/// Kernels of positive semidefinite functions, as far as rounding of the variance allows to
/// compare.
TEST(Variance, OfTheNormalizedKernelIsOne) {
  EXPECT_TRUE(rc::check([] {
    const auto functions = example_functions(3.0);
    const KernelFunction f = functions[*rc::gen::inRange<std::size_t>(0, functions.size())];
    const Index n = *rc::gen::inRange<Index>(4, 40);
    const auto seed = *rc::gen::arbitrary<unsigned>();
    const char* const text = *rc::gen::element("variance", "cosine+variance", "center+variance");
    const MatrixPtr samples = random_samples(f, n, 3, seed);
    const KernelSourcePtr plain = feature_source(f, samples, samples);
    RC_PRE(plain->always_psd());
    const Normalization rule = parse_normalization(text);
    const auto fitted = fit_normalization(rule, *plain);
    RC_PRE(fitted.rule == rule);
    const Matrix normalized = evaluate(*normalized_source(plain, fitted, true));
    const Eigen::MatrixXd K = as_matrix(normalized);
    RC_ASSERT(std::abs(variance_of(K) - 1.0) < 1e-12 * (1.0 + K.diagonal().maxCoeff()));
  }));
}

TEST(Variance, TakesTheMeanEntryThatIsKnown) {
  const Eigen::MatrixXd K = gaussian(40, 3);
  const KernelSourcePtr plain = given(K);
  const auto read = fit_normalization(variance, *plain);
  const auto known = fit_normalization(variance, *plain, {}, {{}, K.mean()});
  EXPECT_NEAR(known.scale, read.scale, 1e-13 * read.scale);
  const auto twice = fit_normalization(variance, *plain, {}, {{}, 0.5 * K.mean()});
  EXPECT_NE(twice.scale, read.scale);
}

TEST(Variance, OfSomeSamplesIsThatOfTheirKernel) {
  const Eigen::MatrixXd K = gaussian(150, 4);
  std::vector<Index> chosen;
  for (Index i = 1; i < 150; i += 2) chosen.push_back(i);
  const Eigen::MatrixXd between = K(chosen, chosen);
  const auto fitted = fit_normalization(variance, *given(K), {}, {chosen});
  EXPECT_NEAR(fitted.scale, 1.0 / variance_of(between), 1e-12 * fitted.scale);
}

/// Its numbers in single precision would be the constant's alone.
TEST(Variance, OfANearlyConstantKernelIsAboutItsMean) {
  for (const double share : {0.5, 1e-1, 2e-3, 5e-4, 1e-5, 1e-7, 1e-9}) {
    const Eigen::MatrixXd K = nearly_constant(share, 60);
    const KernelSourcePtr plain = given(K);
    const auto fitted = fit_normalization(variance, *plain);
    EXPECT_EQ(fitted.rule.center, share < 1e-3) << share;
    const Normalization same = fitted.rule.center ? parse_normalization("center+trace") : variance;
    const Eigen::MatrixXd expected = testing::naive_normalized(same, K);
    const Matrix normalized = evaluate(*normalized_source(plain, fitted, true));
    // What rounding of the entries may be, of kernels whose variance is one.
    const double rounding = 1e-14 / share * (1.0 + expected.cwiseAbs().maxCoeff());
    EXPECT_LE((as_matrix(normalized) - expected).cwiseAbs().maxCoeff(), rounding) << share;
  }
}

TEST(Variance, OfAConstantKernelIsZero) {
  for (const Index n : {2, 60, 1500}) {
    const Eigen::MatrixXd K = Eigen::MatrixXd::Constant(n, n, 1.0 / 3.0);
    const auto fitted = fit_normalization(variance, *given(K));
    EXPECT_EQ(fitted.scale, 0.0) << n;
    EXPECT_TRUE(fitted.rule.center) << n;
  }
}

/// It is not positive semidefinite, which the bank says.
TEST(Variance, ThatIsNegativeScalesNothing) {
  Eigen::MatrixXd K = Eigen::MatrixXd::Constant(10, 10, 2.0);
  K.diagonal().setOnes();
  const auto fitted = fit_normalization(variance, *given(K));
  EXPECT_EQ(fitted.scale, 1.0);
  EXPECT_EQ(fitted.rule, variance);
}

TEST(Representatives, DoNotDependOnTheOrderOfRows) {
  const Index n = 1500;
  const MatrixPtr X = random_samples(make_kernel_function("linear", {}), n, 3, 9);
  Matrix backwards(n, 3);
  for (Index i = 0; i < n; ++i) {
    std::ranges::copy(X->row(n - 1 - i), backwards.row(i).begin());
  }
  const auto one = representative_samples(*X);
  const auto other = representative_samples(backwards);
  ASSERT_EQ(one.size(), 1000U);
  ASSERT_EQ(other.size(), 1000U);
  for (std::size_t k = 0; k < one.size(); ++k) {
    EXPECT_TRUE(std::ranges::equal(X->row(one[k]), backwards.row(other[k]))) << k;
  }
}

}  // namespace
}  // namespace kernmix
