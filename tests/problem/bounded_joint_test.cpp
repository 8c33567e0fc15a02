/// Certificates of classes trained together, from products with bounds, hold those of all entries.

#include <gtest/gtest.h>

#include "kernmix/bank/build.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "loss/any.hpp"
#include "problem/mixed_kernels.hpp"
#include "regularizer/any.hpp"

namespace kernmix::test {
namespace {

/// Three classes and a feasible A.
struct ThreeClasses {
  Vector y;
  Vector C;
  Matrix A;

  ThreeClasses(Index n, unsigned seed) : A(n, 3) {
    const Vector random = random_vector(n, seed);
    for (Index i = 0; i < n; ++i) {
      y.push_back(static_cast<double>(i % 3));
      C.push_back(0.5 + 0.25 * static_cast<double>(i % 2));
      const double size = 0.1 * std::abs(random[static_cast<std::size_t>(i)]);
      A(i, i % 3) = size;
      A(i, (i + 1) % 3) = -0.75 * size;
      A(i, (i + 2) % 3) = -0.25 * size;
    }
  }

  [[nodiscard]] Problem on(const KernelBank& bank, Bias bias) const {
    return {bank, CrammerSinger{}, L1{}, y, C, bias};
  }
};

class BoundedJoint : public testing::TestWithParam<Bias> {};

/// Coarse families: the interval that they give must hold the one of all entries.
TEST_P(BoundedJoint, HoldsThatOfAllEntries) {
  const Index n = 150;
  const auto sources = mixed_kernels(n, 7);
  const auto bank = exact_bank(sources);
  const ThreeClasses own(n, 30);
  const Problem problem = own.on(*bank, GetParam());
  const std::vector<Vector> a = feasible_duals(problem, {own.A.values});
  const Vector d(sources.size(), 1.0 / static_cast<double>(sources.size()));
  const Certificate exact = certify(problem, d, a, {}).certificate;
  const Matrix panel = panel_of(problem, a);
  for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
    BankOptions options;
    options.factor_tolerance = tolerance;
    const auto families = plan_bank(sources, options, Context()).families;
    std::vector<ProductRequest> requests;
    for (Index u = 0; u < 3; ++u) requests.push_back({d, panel.row(u)});
    const auto products = bounded_products(sources, *families, tolerance, requests, Context());
    const Certificate bounded = certify_bounded(problem, d, a, products);
    const double rounding = 1e-10 * exact.primal;
    EXPECT_LE(bounded.dual, exact.dual + rounding) << tolerance;
    EXPECT_GE(bounded.primal, exact.primal - rounding) << tolerance;
    EXPECT_NEAR(bounded.gap, bounded.primal - bounded.dual, rounding) << tolerance;
    EXPECT_GE(bounded.inner_gap, 0.0);
    EXPECT_NEAR(bounded.gap, bounded.inner_gap + bounded.outer_gap, rounding) << tolerance;
    const double tight = tolerance < 1e-7 ? 1e-4 : 1e6;
    EXPECT_LE(bounded.primal, (1.0 + tight) * exact.primal) << tolerance;
  }
}

TEST_P(BoundedJoint, ReferenceKernelsOfManyAgreeWithAllEntries) {
  const Index n = 400;
  const auto sources = mixed_kernels(n, 11);
  const ThreeClasses own(n, 50);
  const Vector d(sources.size(), 1.0 / static_cast<double>(sources.size()));
  const ReferenceKernels exact(sources);
  const ReferenceKernels bounded(sources, 0.0);
  ASSERT_FALSE(exact.bounded());
  ASSERT_TRUE(bounded.bounded());
  const Problem problem = own.on(exact.bank(), GetParam());
  const std::vector<Vector> a = feasible_duals(problem, {own.A.values});
  std::vector<Vector> witness = a;
  for (double& value : witness.front()) value *= 0.9;
  const CertifiedPoint want = exact.certify(problem, d, a, witness, Context());
  const CertifiedPoint got = bounded.certify(problem, d, a, witness, Context());
  const double size = want.certificate.primal;
  EXPECT_NEAR(got.certificate.primal, want.certificate.primal, 1e-8 * size);
  EXPECT_NEAR(got.certificate.dual, want.certificate.dual, 1e-8 * size);
  const CertifiedPoint plain = certify(problem, d, a, {});
  EXPECT_GE(want.certificate.primal, plain.certificate.primal);
  EXPECT_LE(want.certificate.primal, plain.certificate.primal + 1e-11 * size);
  EXPECT_GE(want.certificate.dual, plain.certificate.dual - 1e-11 * size);
  EXPECT_GE(want.certificate.slack, 0.0);
  for (std::size_t e = 0; e < plain.Q.values.size(); ++e) {
    EXPECT_NEAR(want.Q.values[e], plain.Q.values[e], 1e-12 * (1.0 + plain.Q.values[e]));
    EXPECT_NEAR(got.Q.values[e], plain.Q.values[e], 1e-8 * (1.0 + plain.Q.values[e]));
  }
}

INSTANTIATE_TEST_SUITE_P(Biases, BoundedJoint, testing::Values(Bias::free, Bias::none));

}  // namespace
}  // namespace kernmix::test
