/// Certificates from products with bounds hold those of all entries, however coarse the families.

#include <gtest/gtest.h>

#include <numeric>

#include "kernmix/bank/build.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "loss/any.hpp"
#include "problem/mixed_kernels.hpp"
#include "regularizer/any.hpp"

namespace kernmix::test {
namespace {

std::shared_ptr<const MemoryPlan::Families> families(const std::vector<KernelSourcePtr>& sources,
                                                     double tolerance) {
  BankOptions options;
  options.factor_tolerance = tolerance;
  return plan_bank(sources, options, Context()).families;
}

struct ExactProducts {
  Vector z, q;
};

ExactProducts exact_products(const std::vector<KernelSourcePtr>& sources, ConstSpan d,
                             ConstSpan a) {
  const auto bank = exact_bank(sources);
  ExactProducts products{Vector(a.size()), Vector(d.size())};
  products.z = combined_product(*bank, d, a, Context());
  products.q = all_forms(*bank, a, Context());
  return products;
}

/// Do the bounds hold, but for rounding?
bool hold(const BankProducts& bounded, const ExactProducts& exact) {
  const double size = largest(exact.z);
  for (std::size_t i = 0; i < exact.z.size(); ++i) {
    const double slack = bounded.z_error[i] + 1e-11 * size;
    if (!(std::abs(bounded.z[i] - exact.z[i]) <= slack)) return false;
  }
  for (std::size_t m = 0; m < exact.q.size(); ++m) {
    const double rounding = 1e-11 * (exact.q[m] + 1.0);
    if (!(exact.q[m] >= bounded.q[m] - rounding)) return false;
    if (!(exact.q[m] <= bounded.q[m] + bounded.q_error[m] + rounding)) return false;
  }
  return true;
}

Vector weights(Index kernels, unsigned seed) {
  Vector d = random_vector(kernels, seed, 0.3);
  for (double& value : d) value = std::abs(value);
  return d;
}

class Bounds : public testing::TestWithParam<double> {};

TEST_P(Bounds, HoldTheProductsOfAllEntries) {
  const double tolerance = GetParam();
  for (const Index n : {60, 300, 700}) {
    for (unsigned seed = 1; seed < 6; ++seed) {
      const auto sources = mixed_kernels(n, 20 * seed);
      const Vector d = weights(length(sources), seed);
      const Vector a = random_vector(n, seed + 50, 0.4);
      const std::vector<ProductRequest> requests = {{d, a}};
      const auto bounded =
          bounded_products(sources, *families(sources, tolerance), tolerance, requests, Context());
      EXPECT_TRUE(hold(bounded.front(), exact_products(sources, d, a))) << n << ", " << seed;
    }
  }
}

/// A bound that nothing can break says nothing: with fine factors it is tight.
TEST_P(Bounds, AreOfSecondOrder) {
  const double tolerance = GetParam();
  const Index n = 300;
  const auto sources = mixed_kernels(n, 3);
  const Vector d = weights(length(sources), 3);
  const Vector a = random_vector(n, 5);
  const std::vector<ProductRequest> requests = {{d, a}};
  const auto bounded =
      bounded_products(sources, *families(sources, tolerance), tolerance, requests, Context());
  const auto floor = 1e-12;
  const double squares = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
  for (std::size_t m = 0; m < d.size(); ++m) {
    EXPECT_LE(bounded[0].q_error[m], 20.0 * (tolerance + floor) * squares * n * 30.0) << m;
  }
  for (const double error : bounded[0].z_error) {
    EXPECT_LE(error, 1e3 * (tolerance + floor) * n * std::sqrt(squares));
  }
}

INSTANTIATE_TEST_SUITE_P(Tolerances, Bounds, testing::Values(1e-2, 1e-4, 1e-8, 1e-14));

/// A kernel whose entries among its own pivots are a little wrong: a broken core.
class BrokenCore final : public KernelSource {
 public:
  explicit BrokenCore(KernelSourcePtr source) : source_(std::move(source)) {}
  Index rows() const override { return source_->rows(); }
  Index cols() const override { return source_->cols(); }
  bool always_psd() const override { return true; }
  void block(std::span<const Index> row_index, std::span<const Index> col_index,
             MutableSpan out) const override {
    source_->block(row_index, col_index, out);
    std::size_t at = 0;
    for (const Index i : row_index) {
      for (const Index j : col_index) out[at++] *= i % 7 == 1 && j % 7 == 1 ? 1.001 : 1.0;
    }
  }
  void left_diagonal(MutableSpan out) const override { source_->left_diagonal(out); }
  void right_diagonal(MutableSpan out) const override { source_->right_diagonal(out); }

 private:
  KernelSourcePtr source_;
};

/// The test above can fail.
TEST(BoundsOfOthers, ABrokenCoreIsNoticed) {
  const auto sources = mixed_kernels(300, 4);
  const Vector d = weights(length(sources), 4);
  const Vector a = random_vector(300, 6);
  const std::vector<ProductRequest> requests = {{d, a}};
  const auto sketches = families(sources, 1e-8);
  const ExactProducts exact = exact_products(sources, d, a);
  ASSERT_TRUE(hold(bounded_products(sources, *sketches, 1e-8, requests, Context())[0], exact));
  for (std::size_t broken = 0; broken < 8; ++broken) {
    auto wrong = sources;
    wrong[broken] = std::make_shared<BrokenCore>(sources[broken]);
    EXPECT_FALSE(hold(bounded_products(wrong, *sketches, 1e-8, requests, Context())[0], exact))
        << broken;
  }
}

struct LossCase {
  const char* text;
  Bias bias;
};

class BoundedCertificate : public testing::TestWithParam<LossCase> {};

TEST_P(BoundedCertificate, HoldsThatOfAllEntries) {
  const Index n = 120;
  const Loss loss = parse_loss(GetParam().text);
  const auto sources = mixed_kernels(n, 7);
  const auto bank = exact_bank(sources);
  Vector y = random_vector(n, 8);
  const bool numbers = loss_target(loss) == Target::numbers;
  for (double& value : y) {
    if (!numbers) value = loss_target(loss) == Target::none ? 0.0 : value > 0.0 ? 1.0 : -1.0;
  }
  const double C = takes_cost(loss) ? 2.0 : loss_weight(loss, 1.0, n);
  const Vector all_C(y.size(), C);
  for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
    for (const Regularizer& regularizer : {Regularizer(L1{}), parse_regularizer("lp:p=2")}) {
      const Problem problem{*bank, loss, regularizer, y, all_C, GetParam().bias};
      Vector d(sources.size(), 1.0 / static_cast<double>(sources.size()));
      Vector a = random_vector(n, 9);
      make_feasible(dual_set(loss, GetParam().bias, y, all_C), a);
      const Certificate exact = certify(problem, d, {a}, Context()).certificate;
      const std::vector<ProductRequest> requests = {{d, a}};
      const auto products =
          bounded_products(sources, *families(sources, tolerance), tolerance, requests, Context());
      const Certificate bounded = certify_bounded(problem, d, {a}, products);
      const double rounding = 1e-10 * (std::abs(exact.primal) + std::abs(exact.dual));
      EXPECT_GE(bounded.primal, exact.primal - rounding) << tolerance;
      EXPECT_LE(bounded.dual, exact.dual + rounding) << tolerance;
      EXPECT_GE(bounded.gap, exact.gap - 2.0 * rounding) << tolerance;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Losses, BoundedCertificate,
                         testing::Values(LossCase{"hinge", Bias::free},
                                         LossCase{"squared-hinge", Bias::none},
                                         LossCase{"logistic", Bias::free},
                                         LossCase{"squared", Bias::free},
                                         LossCase{"epsilon:eps=0.1", Bias::penalised}));

TEST(ReferenceKernelsOfMany, AgreeWithAllEntries) {
  const Index n = 600;
  const auto sources = mixed_kernels(n, 11);
  Vector y = random_vector(n, 12);
  for (double& value : y) value = value > 0.0 ? 1.0 : -1.0;
  const Vector C(y.size(), 1.0);
  Vector a(y.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = 0.01 * y[i];
  make_feasible(dual_set(Hinge{}, Bias::free, y, C), a);
  const Vector d(sources.size(), 1.0 / static_cast<double>(sources.size()));
  const ReferenceKernels exact(sources);
  const ReferenceKernels bounded(sources, 0.0);
  ASSERT_FALSE(exact.bounded());
  ASSERT_TRUE(bounded.bounded());
  const Problem problem{exact.bank(), Hinge{}, L1{}, y, C};
  const auto want = exact.certify(problem, d, {a}, {a}, Context()).certificate;
  const auto got = bounded.certify(problem, d, {a}, {a}, Context()).certificate;
  EXPECT_NEAR(got.primal, want.primal, 1e-8 * want.primal);
  EXPECT_NEAR(got.dual, want.dual, 1e-8 * want.primal);
}

/// A kernel of which nothing is read.
class UnreadKernel final : public KernelSource {
 public:
  explicit UnreadKernel(Index n) : n_(n) {}
  Index rows() const override { return n_; }
  Index cols() const override { return n_; }
  void block(std::span<const Index>, std::span<const Index>, MutableSpan) const override {
    ADD_FAILURE();
  }
  void left_diagonal(MutableSpan) const override { ADD_FAILURE(); }
  void right_diagonal(MutableSpan) const override { ADD_FAILURE(); }

 private:
  Index n_;
};

/// Tasks that time does not reach are certified after it: their dual vectors are zero.
TEST(ReferenceKernelsOfMany, CertifyZeroWithoutKernels) {
  const Index n = 50;
  const std::vector<KernelSourcePtr> sources(3, std::make_shared<UnreadKernel>(n));
  Vector y(n, 1.0);
  std::fill_n(y.begin(), 20, -1.0);
  const Vector C(y.size(), 2.0);
  const Vector zero(y.size(), 0.0);
  const Vector d = {1.0, 0.0, 0.0};
  for (const double most_entries : {0.0, 1e9}) {
    const ReferenceKernels kernels(sources, most_entries);
    const Problem problem{kernels.bank(), Hinge{}, L1{}, y, C};
    const auto found = kernels.certify(problem, d, {zero}, {zero}, Context());
    EXPECT_EQ(found.certificate.dual, 0.0);
    // The smaller class is on the wrong side of the bias by 2.
    EXPECT_NEAR(found.certificate.primal, 2.0 * 2.0 * 20.0, 1e-9);
    EXPECT_TRUE(std::ranges::all_of(found.Q.values, [](double q) { return q == 0.0; }));
  }
}

}  // namespace
}  // namespace kernmix::test
