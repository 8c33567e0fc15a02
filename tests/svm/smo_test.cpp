#include "kernmix/svm/smo.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <atomic>

#include "problems.hpp"

namespace kernmix::test {
namespace {

Owned random_problem(Index largest) {
  const auto n = *rc::gen::inRange<Index>(2, largest);
  const double C = std::pow(10.0, *rc::gen::inRange(-4, 4));
  Owned problem = clouds(n, C, *rc::gen::arbitrary<std::uint64_t>());
  Vector weights = problem.C;
  for (double& weight : weights) weight *= 0.1 + 0.1 * *rc::gen::inRange(0, 30);
  problem.set_weights(weights);
  return problem;
}

RC_GTEST_PROP(Smo, ReachesTheGapThatItReports, ()) {
  const Owned problem = random_problem(60);
  const double target = std::pow(10.0, -*rc::gen::inRange(1, 8));
  const Solved run = solve(problem, target);
  RC_ASSERT(run.result.converged);
  RC_ASSERT(run.result.gap <= target);
  RC_ASSERT(relative_gap(problem, run.a, run.z) <= target * 1.001 + 1e-12);
  RC_ASSERT(in_box(problem, run.a));
  RC_ASSERT(std::abs(sum(run.a)) <= 1e-12 * static_cast<double>(run.result.iterations + 1) *
                                        *std::max_element(problem.C.begin(), problem.C.end()));
  Vector z(run.a.size());
  product(problem, run.a, z);
  RC_ASSERT(z == run.z);
}

/// A target of 0 is out of reach in general: the solver goes on to the floor of the violation.
RC_GTEST_PROP(Smo, SatisfiesTheOptimalityConditions, ()) {
  const Owned problem = random_problem(40);
  const Solved run = solve(problem, 0.0);
  const double C = *std::max_element(problem.C.begin(), problem.C.end());
  RC_ASSERT(violation(problem, run.a) <= 1e-9 * (1.0 + C));
  RC_ASSERT(std::abs(std::max(violation(problem, run.a), 0.0) - run.result.violation) <= 1e-12);
}

RC_GTEST_PROP(Smo, TakesAnyFeasibleStart, ()) {
  const Owned problem = random_problem(40);
  Vector start(problem.y.size());
  for (std::size_t i = 0; i < start.size(); ++i) {
    start[i] = problem.y[i] * problem.C[i] * 0.1 * *rc::gen::inRange(0, 11);
  }
  make_feasible({problem.lower, problem.upper, std::vector<Index>(start.size(), 0), {0.0}}, start);
  SmoOptions options;
  options.gap_target = 1e-8;
  const Solved warm = solve(problem, options, start);
  const double objective = dual_objective(problem, solve(problem, 1e-8).a);
  RC_ASSERT(warm.result.converged);
  RC_ASSERT(std::abs(dual_objective(problem, warm.a) - objective) <= 1e-7 * objective);
}

TEST(Smo, ShrinkingDoesNotChangeTheOptimum) {
  for (const double C : {0.1, 1.0, 100.0}) {
    const Owned problem = clouds(600, C, 3);
    SmoOptions options;
    options.gap_target = 1e-7;
    const Solved shrunk = solve(problem, options);
    options.shrinking = false;
    const Solved whole = solve(problem, options);
    EXPECT_TRUE(shrunk.result.converged && whole.result.converged);
    const double objective = dual_objective(problem, whole.a);
    EXPECT_NEAR(dual_objective(problem, shrunk.a), objective, 1e-7 * objective) << "C = " << C;
  }
}

TEST(Smo, StartAtTheOptimumNeedsNoIteration) {
  const Owned problem = clouds(200, 1.0, 5);
  const Solved cold = solve(problem, 1e-6);
  SmoOptions options;
  options.gap_target = 1e-6;
  const Solved warm = solve(problem, options, cold.a);
  EXPECT_EQ(warm.result.iterations, 0);
  EXPECT_TRUE(warm.result.converged);
  EXPECT_EQ(warm.a, cold.a);
}

TEST(Smo, WarmStartAfterTheKernelChangedIsShorterAndReachesTheSameOptimum) {
  const Owned before = clouds(400, 1.0, 9);
  Owned after = before;
  for (float& entry : after.K) entry = 0.9F * entry + 0.1F * entry * entry;
  SmoOptions options;
  options.gap_target = 1e-6;
  const Solved cold = solve(after, options);
  const Solved warm = solve(after, options, solve(before, options).a);
  EXPECT_TRUE(warm.result.converged);
  EXPECT_LT(warm.result.iterations, cold.result.iterations);
  const double objective = dual_objective(after, cold.a);
  EXPECT_NEAR(dual_objective(after, warm.a), objective, 1e-6 * objective);
}

TEST(Smo, IsDeterministic) {
  const Owned problem = clouds(300, 10.0, 11);
  EXPECT_EQ(solve(problem, 1e-5).a, solve(problem, 1e-5).a);
}

/// The float matrix only steers: the answer belongs to the exact kernel, here 1e-4 away.
TEST(Smo, RefinesTowardsTheExactKernel) {
  Owned problem = clouds(150, 1.0, 13);
  const Owned exact = problem;
  for (std::size_t k = 0; k < problem.K.size(); ++k) problem.K[k] *= 1.0001F;
  SmoOptions options;
  options.gap_target = 1e-9;
  Vector a(problem.y.size(), 0.0);
  Vector z(problem.y.size());
  const SmoResult result = solve_smo(
      problem.view(), [&](ConstSpan at, MutableSpan out) { product(exact, at, out); },
      [&](ConstSpan at, ConstSpan out) { return relative_gap(exact, at, out); }, options, a, z, {});
  EXPECT_TRUE(result.converged);
  EXPECT_GT(result.refreshes, 1);
  const double objective = dual_objective(exact, solve(exact, 1e-9).a);
  EXPECT_NEAR(dual_objective(exact, a), objective, 1e-8 * objective);
}

TEST(Smo, AGapOutOfReachEndsWithTheTrueGap) {
  const Owned problem = clouds(80, 100.0, 17);
  const Solved run = solve(problem, 0.0);
  EXPECT_FALSE(run.result.converged && run.result.gap > 0.0);
  EXPECT_NEAR(run.result.gap, relative_gap(problem, run.a, run.z), 1e-12);
  EXPECT_LT(run.result.gap, 1e-8);
}

TEST(Smo, StopsAtTheIterationLimitWithTheTrueGap) {
  const Owned problem = clouds(300, 100.0, 19);
  SmoOptions options;
  options.gap_target = 1e-9;
  options.max_iterations = 137;
  const Solved run = solve(problem, options);
  EXPECT_EQ(run.result.iterations, 137);
  EXPECT_FALSE(run.result.converged);
  EXPECT_NEAR(run.result.gap, relative_gap(problem, run.a, run.z), 1e-9);
}

TEST(Smo, StopsWhenTheCallerCancels) {
  const Owned problem = clouds(300, 100.0, 19);
  const std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  SmoOptions options;
  options.gap_target = 1e-9;
  const Solved run = solve(problem, options, {}, context);
  EXPECT_FALSE(run.result.converged);
  EXPECT_LE(run.result.iterations, 300);
  EXPECT_NEAR(run.result.gap, relative_gap(problem, run.a, run.z), 1e-9);
}

}  // namespace
}  // namespace kernmix::test
