/// Certificates of shared weights from products with bounds hold those of all entries.

#include <gtest/gtest.h>

#include "kernmix/bank/build.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "problem/mixed_kernels.hpp"
#include "regularizer/any.hpp"

namespace kernmix::test {
namespace {

/// Three tasks of signs, the second on every other sample, and feasible dual vectors.
struct SignTasks {
  std::vector<Task> tasks;
  std::vector<Vector> a;

  SignTasks(Index n, const Loss& loss, unsigned seed) {
    for (unsigned k = 0; k < 3; ++k) {
      Task task;
      const Vector y = random_vector(n, seed + k);
      const Vector random = random_vector(n, seed + 10 + k);
      Vector own;
      for (Index i = 0; i < n; ++i) {
        if (k == 1 && i % 2 == 1) continue;
        if (k == 1) task.rows.push_back(i);
        const double sign = y[static_cast<std::size_t>(i)] > 0.0 ? 1.0 : -1.0;
        task.y.push_back(sign);
        task.C.push_back(0.5 + 0.5 * k);
        own.push_back(0.2 * sign * std::abs(random[static_cast<std::size_t>(i)]));
      }
      make_feasible(dual_set(loss, Bias::free, task.y, task.C), own);
      tasks.push_back(std::move(task));
      a.push_back(std::move(own));
    }
  }
};

struct BoundsOfTasks {
  Coupling sharing;
  const char* loss;
};

/// The same weights for every kernel, and for every task that has some of its own.
Vector even_weights(const Problem& problem) {
  const bool apart = problem.coupling == Coupling::separate;
  const Index length = problem.kernels() * (apart ? problem.size() : 1);
  return Vector(to_size(length), 1.0 / static_cast<double>(problem.kernels()));
}

class BoundedShared : public testing::TestWithParam<BoundsOfTasks> {};

/// Coarse families: the interval that they give must hold the one of all entries.
TEST_P(BoundedShared, HoldsThatOfAllEntries) {
  const Index n = 150;
  const Loss loss = parse_loss(GetParam().loss);
  const auto sources = mixed_kernels(n, 7);
  const auto bank = exact_bank(sources);
  const SignTasks own(n, loss, 30);
  const Problem problem{*bank, loss, L1{}, own.tasks, GetParam().sharing};
  const Vector d = even_weights(problem);
  const Vector gamma = {0.5, 0.25, 0.25};
  const Certificate exact = certify(problem, d, own.a, {}, gamma).certificate;
  const Matrix panel = panel_of(problem, own.a);
  for (const double tolerance : {1e-2, 1e-4, 1e-8}) {
    BankOptions options;
    options.factor_tolerance = tolerance;
    const auto families = plan_bank(sources, options, Context()).families;
    std::vector<ProductRequest> requests;
    for (Index k = 0; k < 3; ++k) requests.push_back({weights_of(problem, d, k), panel.row(k)});
    const auto products = bounded_products(sources, *families, tolerance, requests, Context());
    const Certificate bounded = certify_bounded(problem, d, own.a, products, gamma);
    const double rounding = 1e-10 * exact.primal;
    EXPECT_LE(bounded.dual, exact.dual + rounding) << tolerance;
    EXPECT_GE(bounded.primal, exact.primal - rounding) << tolerance;
    EXPECT_NEAR(bounded.gap, bounded.primal - bounded.dual, rounding) << tolerance;
    EXPECT_GE(bounded.inner_gap, 0.0);
    EXPECT_NEAR(bounded.gap, bounded.inner_gap + bounded.outer_gap, rounding) << tolerance;
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_GE(bounded.task_primal[k], exact.task_primal[k] - rounding) << tolerance;
      EXPECT_GE(bounded.task_gap[k], exact.task_gap[k] - rounding) << tolerance;
    }
    const double tight = tolerance < 1e-7 ? 1e-4 : 1e6;
    EXPECT_LE(bounded.primal, (1.0 + tight) * exact.primal) << tolerance;
  }
}

TEST_P(BoundedShared, ReferenceKernelsOfManyAgreeWithAllEntries) {
  const Index n = 400;
  const Loss loss = parse_loss(GetParam().loss);
  const auto sources = mixed_kernels(n, 11);
  const SignTasks own(n, loss, 50);
  const Vector gamma = {0.5, 0.25, 0.25};
  const ReferenceKernels exact(sources);
  const ReferenceKernels bounded(sources, 0.0);
  ASSERT_FALSE(exact.bounded());
  ASSERT_TRUE(bounded.bounded());
  const Problem problem{exact.bank(), loss, L1{}, own.tasks, GetParam().sharing};
  const Vector d = even_weights(problem);
  std::vector<Vector> witness = own.a;
  for (Vector& a : witness) {
    for (double& value : a) value *= 0.9;
  }
  const CertifiedPoint want = exact.certify(problem, d, own.a, witness, Context(), gamma);
  const CertifiedPoint got = bounded.certify(problem, d, own.a, witness, Context(), gamma);
  const double size = want.certificate.primal;
  EXPECT_NEAR(got.certificate.primal, want.certificate.primal, 1e-8 * size);
  EXPECT_NEAR(got.certificate.dual, want.certificate.dual, 1e-8 * size);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(got.certificate.bias[k][0], want.certificate.bias[k][0], 1e-6);
    EXPECT_NEAR(got.certificate.task_gap[k], want.certificate.task_gap[k], 1e-8 * size);
  }
  const CertifiedPoint plain = certify(problem, d, own.a, {}, gamma);
  EXPECT_GE(want.certificate.primal, plain.certificate.primal);
  EXPECT_LE(want.certificate.primal, plain.certificate.primal + 1e-11 * size);
  EXPECT_GE(want.certificate.dual, plain.certificate.dual - 1e-11 * size);
  EXPECT_GE(want.certificate.slack, 0.0);
  for (std::size_t e = 0; e < plain.Q.values.size(); ++e) {
    EXPECT_NEAR(want.Q.values[e], plain.Q.values[e], 1e-12 * (1.0 + plain.Q.values[e]));
    EXPECT_NEAR(got.Q.values[e], plain.Q.values[e], 1e-8 * (1.0 + plain.Q.values[e]));
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, BoundedShared,
                         testing::Values(BoundsOfTasks{Coupling::sum, "hinge"},
                                         BoundsOfTasks{Coupling::minimax, "hinge"},
                                         BoundsOfTasks{Coupling::sum, "logistic"},
                                         BoundsOfTasks{Coupling::minimax, "squared-hinge"},
                                         BoundsOfTasks{Coupling::separate, "hinge"}));

}  // namespace
}  // namespace kernmix::test
