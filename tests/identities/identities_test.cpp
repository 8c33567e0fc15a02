// Equivalences between methods (methods.md section 7): arguments that no single formula can fake.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "random_problem.hpp"

namespace kernmix {
namespace {

using testing::make_problem;
using testing::OwnedProblem;
using testing::random_problem;
using testing::RandomData;
using testing::solve_tightly;

double value(const OwnedProblem& owned, const Regularizer& regularizer) {
  const Solution solution = solve_tightly(owned.with(regularizer));
  EXPECT_LE(solution.certificate.relative_gap(), 1e-7) << regularizer_text(regularizer);
  return solution.certificate.primal;
}

void expect_equal(double one, double other) {
  EXPECT_NEAR(one, other, 3e-7 * std::max(std::abs(one), std::abs(other)));
}

class EveryC : public ::testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Identities, EveryC, ::testing::Values(0.01, 1.0, 100.0));

TEST_P(EveryC, OneKernelIsThePlainSvmForEveryRegularizer) {
  const RandomData data(21, 40, 3);
  const OwnedProblem one = make_problem({data.gaussian(1.0, {0, 1, 2})}, data.y, GetParam());
  const double svm = value(one, Average{});
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{1.5}}, Regularizer{Lp{3.0}}, Regularizer{Sum{}}}) {
    expect_equal(value(one, regularizer), svm);
  }
}

TEST_P(EveryC, LpTendsToL1AndToTheSum) {
  const OwnedProblem owned = random_problem(22, 40, 3, GetParam());
  const double l1 = value(owned, L1{});
  const double sum = value(owned, Sum{});
  EXPECT_NEAR(value(owned, Lp{1.001}), l1, 0.01 * l1);
  EXPECT_NEAR(value(owned, Lp{2000.0}), sum, 0.01 * sum);
  double previous = l1;
  for (const double p : {1.1, 4.0 / 3.0, 2.0, 4.0}) {
    const double now = value(owned, Lp{p});
    EXPECT_LE(now, previous * (1.0 + 3e-7)) << "the objective must not rise with p";
    previous = now;
  }
  EXPECT_LE(sum, previous * (1.0 + 3e-7));
}

// SVM(sum K, C) and SVM(average K, M C) are the same functions; objectives differ by M.
TEST_P(EveryC, SumAndAverageDifferByTheScaleOfC) {
  const RandomData data(23, 40, 3);
  const auto M = static_cast<double>(data.kernels().size());
  const OwnedProblem plain = make_problem(data.kernels(), data.y, GetParam());
  const OwnedProblem scaled = make_problem(data.kernels(), data.y, M * GetParam());
  expect_equal(value(plain, Sum{}), value(scaled, Average{}) / M);
}

TEST_P(EveryC, KernelsTimesCWithCOverC) {
  const RandomData data(24, 40, 3);
  constexpr double c = 7.0;
  std::vector<Matrix> scaled = data.kernels();
  for (Matrix& K : scaled) {
    for (double& entry : K.values) entry *= c;
  }
  const OwnedProblem plain = make_problem(data.kernels(), data.y, GetParam());
  const OwnedProblem other = make_problem(std::move(scaled), data.y, GetParam() / c);
  for (const Regularizer& regularizer : {Regularizer{L1{}}, Regularizer{Lp{1.5}}}) {
    expect_equal(value(other, regularizer), value(plain, regularizer) / c);
  }
}

TEST_P(EveryC, PermutedKernelsPermuteTheWeights) {
  const RandomData data(25, 40, 3);
  std::vector<Matrix> reversed = data.kernels();
  std::ranges::reverse(reversed);
  const OwnedProblem plain = make_problem(data.kernels(), data.y, GetParam());
  const OwnedProblem other = make_problem(std::move(reversed), data.y, GetParam());
  const Solution one = solve_tightly(plain.with(Lp{2.0}));
  Solution two = solve_tightly(other.with(Lp{2.0}));
  std::ranges::reverse(two.d);
  for (std::size_t m = 0; m < one.d.size(); ++m) EXPECT_NEAR(one.d[m], two.d[m], 1e-2);
  expect_equal(value(plain, L1{}), value(other, L1{}));
}

TEST_P(EveryC, DuplicatedKernelsLeaveL1AndRescaleLp) {
  const RandomData data(26, 40, 3);
  std::vector<Matrix> twice = data.kernels();
  const std::vector<Matrix> once = data.kernels();
  twice.insert(twice.end(), once.begin(), once.end());
  constexpr double p = 1.5;
  std::vector<Matrix> scaled = data.kernels();
  for (Matrix& K : scaled) {
    for (double& entry : K.values) entry *= std::pow(2.0, 1.0 - 1.0 / p);
  }
  const OwnedProblem plain = make_problem(data.kernels(), data.y, GetParam());
  const OwnedProblem doubled = make_problem(std::move(twice), data.y, GetParam());
  const OwnedProblem larger = make_problem(std::move(scaled), data.y, GetParam());
  expect_equal(value(plain, L1{}), value(doubled, L1{}));
  expect_equal(value(doubled, Lp{p}), value(larger, Lp{p}));
}

TEST_P(EveryC, FixedAtTheOptimumIsTheOptimum) {
  const OwnedProblem owned = random_problem(27, 40, 3, GetParam());
  const Solution l1 = solve_tightly(owned.with(L1{}));
  expect_equal(value(owned, Fixed{l1.d}), l1.certificate.primal);
  const Vector average(static_cast<std::size_t>(owned.bank->kernels()),
                       1.0 / static_cast<double>(owned.bank->kernels()));
  expect_equal(value(owned, Fixed{average}), value(owned, Average{}));
}

// At the optimum of L1, kernels with weight share the largest q; others lie below it.
TEST(L1Optimum, WeightedKernelsShareTheLargestQ) {
  const OwnedProblem owned = random_problem(28, 50, 4, 1.0);
  const Solution solution = solve_tightly(owned.with(L1{}));
  Vector q(solution.d.size());
  owned.bank->quadratic_forms(solution.a, q, Context{});
  const double top = *std::ranges::max_element(q);
  for (std::size_t m = 0; m < q.size(); ++m) {
    if (solution.d[m] > 0.01) {
      EXPECT_NEAR(q[m], top, 1e-3 * top);
    }
  }
}

TEST(Degenerate, ZeroDuplicatedAndRankOneKernels) {
  const RandomData data(29, 30, 3);
  std::vector<Matrix> kernels = data.kernels();
  kernels.emplace_back(30, 30);  // zero
  Matrix ones(30, 30);
  std::ranges::fill(ones.values, 1.0);
  kernels.push_back(ones);  // constant: invisible with a free bias
  Matrix labels(30, 30);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) {
      labels(i, j) =
          1e-3 * data.y[static_cast<std::size_t>(i)] * data.y[static_cast<std::size_t>(j)];
    }
  }
  kernels.push_back(labels);  // rank one
  kernels.push_back(data.kernels().front());
  const OwnedProblem owned = make_problem(std::move(kernels), data.y, 1.0);
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{1.1}}, Regularizer{Lp{2.0}}, Regularizer{Average{}}}) {
    value(owned, regularizer);
  }
}

TEST(Degenerate, OnlyZeroKernels) {
  const OwnedProblem owned =
      make_problem({Matrix(6, 6), Matrix(6, 6)}, {1.0, -1.0, 1.0, 1.0, -1.0, 1.0}, 1.0);
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{2.0}}, Regularizer{Average{}}}) {
    const Solution solution = solve_tightly(owned.with(regularizer));
    EXPECT_NEAR(solution.certificate.primal, 4.0, 1e-6);
    EXPECT_EQ(solution.status, Status::converged);
  }
}

TEST(Degenerate, OneSampleOfAClassAndTinyProblems) {
  const RandomData data(30, 12, 2);
  Vector y(12, -1.0);
  y[5] = 1.0;
  const OwnedProblem one = make_problem(data.kernels(), y, 10.0);
  value(one, L1{});
  value(one, Lp{2.0});
  const RandomData pair(31, 2, 2);
  value(make_problem(pair.kernels(), {1.0, -1.0}, 1.0), L1{});
}

TEST(Degenerate, HugeAndTinyC) {
  for (const double C : {1e-8, 1e6}) {
    const OwnedProblem owned = random_problem(32, 40, 3, C);
    for (const Regularizer& regularizer :
         {Regularizer{L1{}}, Regularizer{Lp{1.01}}, Regularizer{Lp{2.0}}}) {
      SolverOptions options;
      const Solution solution = solve(owned.with(regularizer), options, Context{});
      EXPECT_EQ(solution.status, Status::converged)
          << regularizer_text(regularizer) << " C = " << C << " gap "
          << solution.certificate.relative_gap();
    }
  }
}

}  // namespace
}  // namespace kernmix
