// Equivalences between methods (methods.md section 7): arguments that no single formula can fake.

#include <numeric>

#include "identity.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::constant_kernel;
using testing::expect_at_most;
using testing::expect_same;
using testing::label_kernel;
using testing::make_problem;
using testing::OwnedProblem;
using testing::random_problem;
using testing::RandomData;
using testing::solve_tightly;
using testing::value;

class MethodIdentity : public testing::Identity {};
INSTANTIATE_TEST_SUITE_P(Sources, MethodIdentity, testing::every_setting(), testing::setting_name);

TEST_P(MethodIdentity, OneKernelIsThePlainSvmForEveryRegularizer) {
  const OwnedProblem one = one_kernel();
  const double svm = value(one, Average{});
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{1.5}}, Regularizer{Lp{3.0}}, Regularizer{Sum{}}}) {
    expect_same(value(one, regularizer), svm);
  }
}

TEST_P(MethodIdentity, LpTendsToL1AndToTheSum) {
  const OwnedProblem owned = problem();
  const double l1 = value(owned, L1{});
  const double sum = value(owned, Sum{});
  EXPECT_NEAR(value(owned, Lp{1.001}), l1, 0.01 * l1);
  EXPECT_NEAR(value(owned, Lp{2000.0}), sum, 0.01 * sum);
  double previous = l1;
  for (const double p : {1.1, 4.0 / 3.0, 2.0, 4.0}) {
    const double now = value(owned, Lp{p});
    expect_at_most(now, previous);
    previous = now;
  }
  expect_at_most(sum, previous);
}

// SVM(sum K, C) and SVM(average K, M C) are the same functions; objectives differ by M.
TEST_P(MethodIdentity, SumAndAverageDifferByTheScaleOfC) {
  const auto M = static_cast<double>(kernels.size());
  const OwnedProblem scaled = make_problem(kernels, y, M * C);
  expect_same(value(problem(), Sum{}), value(scaled, Average{}) / M);
}

/// One of each regularizer without a penalty, whose norm is homogeneous.
std::vector<Regularizer> penalty_free() {
  return {L1{},
          Lp{1.5},
          Average{},
          Sum{},
          SoftMargin{0.3},
          ElasticNetBach{0.5},
          Sgmkl{0.5},
          SgmklNorm{0.5},
          MixedNorm{1.5, {}},
          MixedNorm{2.0, {}},
          MixedNormSaddle{4.0, {}},
          Ckl{0.4, 0.4, {}}};
}

// Omega of a kernel times c is Omega / c, and so is the loss with C / c.
TEST_P(MethodIdentity, KernelsTimesCWithCOverC) {
  constexpr double c = 7.0;
  const OwnedProblem plain = problem();
  const OwnedProblem scaled = make_problem(times(c), y, C / c);
  for (const Regularizer& regularizer : penalty_free()) {
    SCOPED_TRACE(regularizer_text(regularizer));
    expect_same(value(scaled, regularizer), value(plain, regularizer) / c);
  }
}

TEST_P(MethodIdentity, KernelsTimesCWithCOverCForEveryLossWithC) {
  constexpr double c = 7.0;
  for (const LossInfo& row : losses()) {
    SCOPED_TRACE(row.example);
    const Loss loss = parse_loss(row.example);
    if (!takes_cost(loss)) continue;
    const Vector labels = joins_classes(loss) ? testing::class_numbers(y) : y;
    const Vector& targets = loss_target(loss) == Target::numbers ? numbers : labels;
    const OwnedProblem plain = make_problem(kernels, targets, C);
    const OwnedProblem scaled = make_problem(times(c), targets, C / c);
    for (const Regularizer& regularizer : {Regularizer{L1{}}, Regularizer{Lp{1.5}}}) {
      expect_same(value(scaled, regularizer, loss), value(plain, regularizer, loss) / c);
    }
  }
}

TEST_P(MethodIdentity, PermutedKernelsPermuteTheWeights) {
  std::vector<Matrix> reversed = kernels;
  std::ranges::reverse(reversed);
  const OwnedProblem plain = problem();
  const OwnedProblem other = problem_of(std::move(reversed));
  const Answer one = solve_tightly(plain.with(Lp{2.0}));
  Answer two = solve_tightly(other.with(Lp{2.0}));
  std::ranges::reverse(two.d);
  for (std::size_t m = 0; m < one.d.size(); ++m) EXPECT_NEAR(one.d[m], two.d[m], 1e-2);
  expect_same(value(plain, L1{}), value(other, L1{}));
}

TEST_P(MethodIdentity, DuplicatedKernelsLeaveL1AndRescaleLp) {
  std::vector<Matrix> twice = kernels;
  twice.insert(twice.end(), kernels.begin(), kernels.end());
  constexpr double p = 1.5;
  const OwnedProblem doubled = problem_of(std::move(twice));
  const OwnedProblem larger = problem_of(times(std::pow(2.0, 1.0 - 1.0 / p)));
  expect_same(value(problem(), L1{}), value(doubled, L1{}));
  expect_same(value(doubled, Lp{p}), value(larger, Lp{p}));
}

TEST_P(MethodIdentity, FixedAtTheOptimumIsTheOptimum) {
  const OwnedProblem owned = problem();
  const Answer l1 = solve_tightly(owned.with(L1{}));
  expect_same(value(owned, Fixed{l1.d}), l1.certificate.primal);
  const Vector average(static_cast<std::size_t>(owned.bank->kernels()),
                       1.0 / static_cast<double>(owned.bank->kernels()));
  expect_same(value(owned, Fixed{average}), value(owned, Average{}));
}

// At the optimum of L1, kernels with weight share the largest q; others lie below it.
// At the optimum of L1, kernels with weight share the largest q; others lie below it.
TEST_P(MethodIdentity, WeightedKernelsOfL1ShareTheLargestQ) {
  const OwnedProblem owned = problem();
  const Answer solution = solve_tightly(owned.with(L1{}));
  // Where the SVM has several solutions, the one that proves these weights optimal.
  const Vector& a = solution.witness.empty() ? solution.a[0] : solution.witness[0];
  Vector q = all_forms(*owned.bank, a, Context{});
  const double top = *std::ranges::max_element(q);
  for (std::size_t m = 0; m < q.size(); ++m) {
    if (solution.d[m] > 0.01) {
      EXPECT_NEAR(q[m], top, 1e-3 * top);
    }
  }
}

TEST_P(MethodIdentity, ZeroDuplicatedAndRankOneKernelsAreNoObstacle) {
  std::vector<Matrix> more = kernels;
  more.emplace_back(samples(), samples());
  more.push_back(constant_kernel(samples()));
  more.push_back(label_kernel(y, 1e-3));
  more.push_back(kernels.front());
  const OwnedProblem owned = problem_of(std::move(more));
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{1.1}}, Regularizer{Lp{2.0}}, Regularizer{Average{}}}) {
    EXPECT_GT(value(owned, regularizer), 0.0);
  }
}

// A free bias absorbs a constant, for losses of every kind of dual.
TEST_P(MethodIdentity, AConstantKernelIsInvisibleBesideAFreeBias) {
  std::vector<Matrix> more = kernels;
  more.push_back(constant_kernel(samples()));
  const OwnedProblem plain = problem();
  const OwnedProblem owned = problem_of(std::move(more));
  for (const Loss& loss : {Loss{Hinge{}}, Loss{Squared{}}, Loss{Logistic{}}}) {
    SCOPED_TRACE(loss_text(loss));
    for (const Regularizer& regularizer : {Regularizer{L1{}}, Regularizer{Lp{1.5}}}) {
      expect_same(value(owned, regularizer, loss), value(plain, regularizer, loss));
    }
  }
}

TEST(Degenerate, OnlyZeroKernels) {
  const OwnedProblem owned =
      make_problem({Matrix(6, 6), Matrix(6, 6)}, {1.0, -1.0, 1.0, 1.0, -1.0, 1.0}, 1.0);
  for (const Regularizer& regularizer :
       {Regularizer{L1{}}, Regularizer{Lp{2.0}}, Regularizer{Average{}}}) {
    const Answer solution = solve_tightly(owned.with(regularizer));
    EXPECT_NEAR(solution.certificate.primal, 4.0, 1e-6);
    EXPECT_EQ(solution.status, Status::converged);
  }
}

TEST(Degenerate, OneSampleOfAClassAndTinyProblems) {
  const RandomData data(30, 12, 2);
  Vector y(12, -1.0);
  y[5] = 1.0;
  const OwnedProblem one = make_problem(data.kernels(), y, 10.0);
  EXPECT_GT(value(one, L1{}), 0.0);
  EXPECT_GT(value(one, Lp{2.0}), 0.0);
  const RandomData pair(31, 2, 2);
  EXPECT_GT(value(make_problem(pair.kernels(), {1.0, -1.0}, 1.0), L1{}), 0.0);
}

TEST(Degenerate, HugeAndTinyC) {
  for (const double C : {1e-8, 1e6}) {
    const OwnedProblem owned = random_problem(32, 40, 3, C);
    for (const Regularizer& regularizer :
         {Regularizer{L1{}}, Regularizer{Lp{1.01}}, Regularizer{Lp{2.0}}}) {
      SolverOptions options;
      const Answer solution = solve(owned.with(regularizer), options, Context{});
      EXPECT_EQ(solution.status, Status::converged)
          << regularizer_text(regularizer) << " C = " << C << " gap "
          << solution.certificate.relative_gap();
    }
  }
}

}  // namespace
}  // namespace kernmix
