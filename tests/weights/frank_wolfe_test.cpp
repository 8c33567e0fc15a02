/// \file
/// Frank-Wolfe with away steps: the optimum, bounds of weights, away steps that drop kernels.

#include <gtest/gtest.h>

#include <algorithm>

#include "solver_checks.hpp"

namespace kernmix::testing {
namespace {

constexpr const char* kSolver = "frank-wolfe";

TEST(FrankWolfe, ReachesTheOptimum) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(4, 60, 5, C);
    expect_on_simplex(expect_solved(owned.with(L1{}), kSolver, 1e-3).d);
  }
}

TEST(FrankWolfe, KeepsWeightsBelowTheirBound) {
  const OwnedProblem owned = random_problem(5, 60, 6, 1.0);
  expect_on_simplex(expect_solved(owned.with(SoftMargin{0.25}), kSolver, 1e-3).d, 0.25);
}

/// The start is a combination of all kernels: only away steps empty it.
TEST(FrankWolfe, StepsAwayFromKernelsThatLeave) {
  const OwnedProblem owned = random_problem(4, 60, 5, 1.0);
  const Answer solution = expect_solved(owned.with(L1{}), kSolver, 1e-4);
  EXPECT_TRUE(std::ranges::any_of(solution.history,
                                  [](const Iteration& step) { return step.step == "away"; }));
  EXPECT_LT(std::ranges::count_if(solution.d, [](double weight) { return weight > 0.0; }),
            owned.bank->kernels());
}

TEST(FrankWolfe, TakesPenaltiesOnTheSimplex) {
  const OwnedProblem owned = random_problem(4, 60, 5, 1.0);
  expect_solved(owned.with(parse_regularizer("soft-margin-squared:theta=1")), kSolver, 1e-3);
}

TEST(FrankWolfe, TrivialBanks) {
  expect_trivial_banks_solved(kSolver);
  expect_zero_kernels_harmless(kSolver);
}

TEST(FrankWolfe, EndsWhereNothingImproves) { expect_ends_at_impossible_tolerance(kSolver); }

TEST(FrankWolfe, AnswersWhenStoppedAtOnce) {
  expect_an_answer_when_stopped_at_once(random_problem(4, 30, 2, 1.0).with(L1{}), kSolver);
}

TEST(FrankWolfe, GivesTheSameBitsForAnyNumberOfThreads) {
  expect_same_bits_for_any_threads(kSolver);
}

}  // namespace
}  // namespace kernmix::testing
