#include "weights/strategies/interior_point.hpp"

#include <algorithm>
#include <functional>

#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solver_checks.hpp"
#include "weights/primal_dual/joint_barrier.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(InteriorPoint, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    for (const double tolerance : {1e-2, 1e-3, 1e-6}) {
      const Answer solution = expect_solved(owned.with(L1{}), "interior-point", tolerance);
      expect_on_simplex(solution.d);
    }
  }
}

TEST(InteriorPoint, KeepsWeightsBelowTheirBound) {
  for (const double theta : {0.25, 0.3, 0.5, 0.9}) {
    const OwnedProblem owned = random_problem(12, 40, 4, 10.0);
    const Answer solution = expect_solved(owned.with(SoftMargin{theta}), "interior-point", 1e-5);
    expect_on_simplex(solution.d, theta);
  }
}

/// Kernels that are nearly the same all tend to their bound, before it shows which of them stay.
TEST(InteriorPoint, RaisesNoMoreWeightsToTheirBoundThanHaveRoom) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    const RandomData data(seed, 20, 4);
    std::vector<Matrix> kernels;
    for (const Matrix& kernel : data.kernels()) {
      for (int copy = 0; copy < 10; ++copy) {
        kernels.push_back(kernel);
        for (double& entry : kernels.back().values) entry *= 1.0 + 0.01 * copy;
      }
    }
    const auto M = static_cast<double>(kernels.size());
    for (const double C : {0.01, 0.1, 1.0}) {
      const OwnedProblem owned = make_problem(kernels, data.y, C);
      for (const double nu : {0.23, 0.37, 0.6, 0.83}) {
        const Problem problem = owned.with(SoftMargin::of_share(nu));
        expect_on_simplex(expect_solved(problem, "interior-point", 1e-4).d, 1.0 / (nu * M));
      }
    }
  }
}

/// The steps alone, without Newton's method after them.
Answer by_joint_steps(const Problem& problem, double tolerance) {
  SolverOptions options;
  options.tolerance = tolerance;
  const Context context;
  Objective run("interior-point", problem, options, context);
  const Point start = run.evaluate(L1{}.initial_weights(problem.kernels()), "start");
  if (!run.finished()) joint_steps(L1{}.upper_bound(problem.kernels()), run, start);
  return run.result();
}

TEST(InteriorPoint, NeedsNoOtherMethod) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(13, 60, 5, C);
    for (const double tolerance : {1e-2, 1e-4, 1e-6}) {
      EXPECT_EQ(by_joint_steps(owned.with(L1{}), tolerance).status, Status::converged) << C;
    }
  }
}

/// Kernels with weight that were not among the 128 with the largest forms at even weights, with
/// which the method starts.
Index latecomers(const OwnedProblem& owned, const Vector& d) {
  const Answer even = solve_tightly(owned.with(Average{}));
  Vector q = all_forms(*owned.bank, even.a[0], Context{});
  Vector sorted = q;
  std::ranges::sort(sorted, std::greater<>());
  Index count = 0;
  for (std::size_t m = 0; m < d.size(); ++m) count += d[m] > 0.0 && q[m] < sorted[150] ? 1 : 0;
  return count;
}

TEST(InteriorPoint, FindsKernelsThatItDidNotStartWith) {
  const RandomData data(14, 40, 400);
  const OwnedProblem owned = make_problem(data.lines(), data.y, 1.0);
  const Answer solution = by_joint_steps(owned.with(L1{}), 1e-4);
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_GT(latecomers(owned, solution.d), 0);
  Certificate again = certify(owned.with(L1{}), solution.d, solution.a, Context{}).certificate;
  if (!solution.witness.empty()) {
    again.raise_dual(certify_dual(owned.with(L1{}), solution.witness, Context{}));
  }
  EXPECT_LE(again.relative_gap(), 1e-4);
}

/// A kernel that is dropped while it has weight leaves steps that lead nowhere.
TEST(InteriorPoint, KeepsKernelsThatHaveWeight) {
  for (const unsigned seed : {1U, 7U}) {
    RandomData data(seed, 60, 40);
    data.tell_apart(4, 0.5);
    for (const double C : {0.1, 0.3, 1.0}) {
      const OwnedProblem owned = make_problem(data.lines(), data.y, C);
      EXPECT_EQ(by_joint_steps(owned.with(L1{}), 1e-6).status, Status::converged)
          << seed << ", C = " << C;
    }
  }
}

TEST(InteriorPoint, SolvesEveryLossOfItsForm) {
  const OwnedProblem owned = random_problem(15, 40, 4, 10.0);
  for (const Loss& loss : std::vector<Loss>{Hinge{}, SquaredHinge{}, HuberHinge{0.5}}) {
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      Problem problem = owned.with(L1{}, loss);
      problem.bias = bias;
      ASSERT_TRUE(quadratic_gain(problem).has_value());
      EXPECT_EQ(by_joint_steps(problem, 1e-5).status, Status::converged)
          << loss_text(loss) << ", bias " << bias_name(bias);
    }
  }
}

TEST(InteriorPoint, LeavesKinksAndSmoothGainsToNewton) {
  const OwnedProblem owned = random_problem(16, 40, 4, 1.0);
  EXPECT_FALSE(quadratic_gain(owned.with(L1{}, Epsilon{0.1})).has_value());
  EXPECT_FALSE(quadratic_gain(owned.with(L1{}, Logistic{})).has_value());
  expect_solved(owned.with(L1{}, Epsilon{0.1}), "interior-point", 1e-4);
  expect_solved(owned.with(L1{}, Logistic{}), "interior-point", 1e-4);
}

TEST(InteriorPoint, SameBitsForAnyThreads) { expect_same_bits_for_any_threads("interior-point"); }

TEST(InteriorPoint, ReturnsAnAnswerWhenStoppedAtOnce) {
  const OwnedProblem owned = random_problem(3, 40, 4, 1.0);
  expect_an_answer_when_stopped_at_once(owned.with(L1{}), "interior-point");
}

TEST(InteriorPoint, SolvesTrivialBanks) {
  expect_trivial_banks_solved("interior-point");
  expect_zero_kernels_harmless("interior-point");
}

/// Vertices in the weights, few free samples: where Newton's method in the weights alone crawls.
TEST(InteriorPoint, NeedsFewSvmsWhereFewSamplesAreFree) {
  const RandomData data(17, 80, 10);
  std::vector<Matrix> kernels;
  for (Index c = 0; c < 10; ++c) {
    for (const double gamma : {0.1, 1.0, 10.0}) {
      Matrix K = data.gaussian(gamma, {c});
      for (double& entry : K.values) entry /= 80.0;  // unit trace
      kernels.push_back(std::move(K));
    }
  }
  const OwnedProblem owned = make_problem(std::move(kernels), data.y, 30.0);
  const Answer solution = expect_solved(owned.with(L1{}), "newton", 1e-3);
  EXPECT_LE(solution.history.size(), 10u);
  EXPECT_EQ(solution.history.back().step, "interior-point");
}

/// Where they cost less than cutting planes would, these do not come first.
TEST(InteriorPoint, FollowsStepsOfNewtonsInVain) {
  RandomData data(2, 220, 40);
  data.tell_apart(4, 0.3);
  const OwnedProblem owned = make_problem(data.lines(), data.y, 0.007);
  const Answer solution = expect_solved(owned.with(L1{}), "newton", 1e-6);
  const auto& steps = solution.history;
  EXPECT_EQ(steps.back().step, "interior-point");
  EXPECT_GE(std::ranges::count(steps, "newton", &Iteration::step), 1);
  EXPECT_EQ(std::ranges::count(steps, "level", &Iteration::step), 0);
  EXPECT_LE(steps.size(), 12u);
}

TEST(InteriorPoint, RefusesOtherWeights) {
  expect_refusal("interior-point", Lp{2.0},
                 "solver interior-point does not take regularizer lp:p=2: it needs weights on the "
                 "simplex without a penalty; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
