#include "kernmix/solve.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>

#include "kernmix/error.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::random_problem;
using testing::solve_tightly;

struct Cell {
  std::string regularizer;
  double C;
};

class EveryCell : public ::testing::TestWithParam<Cell> {};

std::vector<Cell> cells() {
  std::vector<Cell> all;
  for (const char* regularizer :
       {"l1", "lp:p=1.1", "lp:p=1.3333333", "lp:p=2", "lp:p=4", "average", "sum",
        "mixed-norm:q=1.3", "mixed-norm:q=2", "ckl:p=0.5,q=0.5", "ckl:p=0.6,q=0.2"}) {
    for (const double C : {0.01, 1.0, 100.0}) all.push_back({regularizer, C});
  }
  for (const char* regularizer : {"l1-unsquared:lambda=0.3",
                                  "l1-unsquared:lambda=1",
                                  "l1-unsquared:lambda=3",
                                  "lp-tikhonov:p=1.1,lambda=1",
                                  "lp-tikhonov:p=2,lambda=0.01",
                                  "lp-tikhonov:p=4,lambda=10",
                                  "elastic-net:l1=1,l2=0.5",
                                  "elastic-net:l1=0.1,l2=3",
                                  "elastic-net:l1=1,l2=0.01",
                                  "elastic-net-bach:lambda=0.5",
                                  "elastic-net-bach:lambda=10",
                                  "sgmkl:v=0.05",
                                  "sgmkl:v=0.5",
                                  "sgmkl:v=0.95",
                                  "sgmkl-norm:v=0.05",
                                  "sgmkl-norm:v=0.8",
                                  "soft-margin:theta=0.1",
                                  "soft-margin:theta=0.5",
                                  "soft-margin:theta=1",
                                  "soft-margin-squared:theta=0.01",
                                  "soft-margin-squared:theta=1",
                                  "soft-margin-squared:theta=100",
                                  "soft-margin-power:theta=1,p=1.5",
                                  "soft-margin-power:theta=1,p=3",
                                  "soft-margin-square-loss:theta=1"}) {
    for (const double C : {0.1, 1.0, 10.0, 100.0}) all.push_back({regularizer, C});
  }
  return all;
}

// Every supported pair reaches the tolerance, the weights stay in D, and both solvers agree.
TEST_P(EveryCell, ReachesItsGapAndAgrees) {
  const OwnedProblem owned = random_problem(11, 40, 4, GetParam().C);
  const Problem problem = owned.with(parse_regularizer(GetParam().regularizer));
  const Answer newton = solve_tightly(problem, "newton");
  EXPECT_EQ(newton.status, Status::converged);
  EXPECT_LE(newton.certificate.relative_gap(), 1e-7);

  SolverOptions options;
  options.solver = "alternating";
  options.tolerance = 1e-3;
  const Answer alternating = solve(problem, options, Context{});
  EXPECT_EQ(alternating.status, Status::converged);
  EXPECT_LE(newton.certificate.dual, alternating.certificate.primal * (1.0 + 1e-9));
  EXPECT_GE(newton.certificate.primal, alternating.certificate.dual * (1.0 - 1e-9));

  const Certificate again = certify(problem, newton.d, newton.a, Context{}).certificate;
  EXPECT_NEAR(again.primal, newton.certificate.primal, 1e-9 * newton.certificate.primal);
  EXPECT_NEAR(again.dual, newton.certificate.dual, 1e-9 * newton.certificate.primal);
}

INSTANTIATE_TEST_SUITE_P(Hinge, EveryCell, ::testing::ValuesIn(cells()), [](const auto& cell) {
  std::string name = cell.param.regularizer + "_C" + std::to_string(cell.index);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

// Steps accepted within the accuracy of J went round in circles here.
TEST(Solve, NewtonLeavesACircle) {
  const OwnedProblem owned = random_problem(5, 60, 6, 0.1);
  EXPECT_EQ(solve_tightly(owned.with(SoftMargin{0.5}), "newton").status, Status::converged);
}

TEST(Solve, BestBoundsNeverCross) {
  const OwnedProblem owned = random_problem(2, 40, 4, 1.0);
  const Answer solution = solve_tightly(owned.with(L1{}));
  ASSERT_FALSE(solution.history.empty());
  for (std::size_t k = 1; k < solution.history.size(); ++k) {
    EXPECT_LE(solution.history[k].primal, solution.history[k - 1].primal);
    EXPECT_GE(solution.history[k].dual, solution.history[k - 1].dual);
    EXPECT_LE(solution.history[k].relative_gap, solution.history[k - 1].relative_gap);
  }
  EXPECT_GE(solution.history.back().primal, solution.history.back().dual);
}

TEST(Solve, AnyNumberOfThreadsGivesTheSameBits) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  for (const char* regularizer : {"l1", "lp:p=1.5"}) {
    const Problem problem = owned.with(parse_regularizer(regularizer));
    Context one;
    const Answer first = solve(problem, {}, one);
    for (const int threads : {2, 3, 7}) {
      Context several;
      several.threads = threads;
      const Answer other = solve(problem, {}, several);
      EXPECT_EQ(first.d, other.d);
      EXPECT_EQ(first.a, other.a);
      EXPECT_EQ(first.certificate.gap, other.certificate.gap);
    }
  }
}

TEST(Solve, InterruptionReturnsACertifiedAnswer) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  const Problem problem = owned.with(L1{});
  std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  const Answer solution = solve(problem, {}, context);
  EXPECT_EQ(solution.status, Status::interrupted);
  const Certificate again = certify(problem, solution.d, solution.a, Context{}).certificate;
  // Sums of 60 products, added in another order.
  EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-12 * again.primal);
  EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-12 * again.primal);
}

TEST(Solve, InterruptionInTheMiddleKeepsTheBest) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  const Problem problem = owned.with(L1{});
  std::atomic<bool> cancelled = false;
  Context context;
  context.cancelled = &cancelled;
  double reported = 1.0;
  context.progress = [&](const Progress& moment) {
    reported = moment.relative_gap;
    if (moment.done == 3) cancelled = true;
  };
  SolverOptions options;
  options.tolerance = 1e-12;
  const Answer solution = solve(problem, options, context);
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_EQ(solution.history.size(), 3u);
  EXPECT_DOUBLE_EQ(solution.certificate.relative_gap(), reported);
}

TEST(Solve, LimitsAreStatusesNotErrors) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  SolverOptions options;
  options.tolerance = 1e-9;
  options.max_iterations = 2;
  EXPECT_EQ(solve(owned.with(L1{}), options, Context{}).status, Status::iteration_limit);
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  EXPECT_EQ(solve(owned.with(L1{}), {}, late).status, Status::time_limit);
}

/// Without time for one step, the SVM is trained for a moment instead of not at all.
TEST(Solve, AnswersAreNotZeroWhereTimeIsOverAtOnce) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  Context late;
  late.deadline = std::chrono::steady_clock::now() - std::chrono::hours(1);
  const std::atomic<bool> signal = true;
  Context cancelled;
  cancelled.cancelled = &signal;
  for (const auto& [context, status] :
       {std::pair(late, Status::time_limit), std::pair(cancelled, Status::interrupted)}) {
    const Answer answer = solve(owned.with(L1{}), {}, context);
    EXPECT_EQ(answer.status, status);
    EXPECT_GT(std::ranges::max(answer.a.front()), 0.0);
    EXPECT_LT(answer.certificate.relative_gap(), 0.9);
    EXPECT_EQ(answer.history.size(), 1U);
  }
}

TEST(Solve, AnImpossibleToleranceEndsHonestly) {
  const OwnedProblem owned = random_problem(4, 30, 3, 10.0);
  SolverOptions options;
  options.tolerance = 1e-18;
  options.max_iterations = 100;
  const Answer solution = solve(owned.with(L1{}), options, Context{});
  EXPECT_NE(solution.status, Status::converged);
  EXPECT_LE(solution.certificate.relative_gap(), 1e-7);
}

template <typename Call>
void expect_refusal(Call call, const std::string& sentence) {
  try {
    static_cast<void>(call());
    FAIL() << "accepted, expected: " << sentence;
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

TEST(Solve, RefusesBeforeAnyWork) {
  const OwnedProblem owned = random_problem(4, 10, 2, 1.0);
  const Problem problem = owned.with(L1{});
  SolverOptions options;
  options.solver = "newtom";
  std::string known = "auto";
  for (const std::string& name : solver_names()) known += ", " + name;
  expect_refusal([&] { return solve(problem, options, Context{}); },
                 "unknown solver 'newtom', known are " + known + "; did you mean 'newton'?");
  options = {};
  options.solver = "silp";
  options.without = {"cuts"};
  expect_refusal([&] { return solve(problem, options, Context{}); },
                 "without cuts: it is a strategy of newton, but the solver is silp");
  Problem measured = problem;
  measured.diagonals = {1.0};
  expect_refusal([&] { return solve(measured, {}, Context{}); },
                 "diagonals must have one entry for each of 9 kernels, got 1");
  options = {};
  options.tolerance = 0.0;
  expect_refusal([&] { return solve(problem, options, Context{}); },
                 "tolerance must be > 0 and < 1, got 0");
  expect_refusal([&] { return solve(owned.with(Fixed{Vector(2, 1.0)}), {}, Context{}); },
                 "fixed: 2 weights were given for 9 kernels, give one weight for each kernel");
  OwnedProblem wrong = random_problem(4, 10, 2, 1.0);
  wrong.y[3] = 2.0;
  expect_refusal([&] { return solve(wrong.with(L1{}), {}, Context{}); },
                 "labels must be +1 or -1, sample 4 has 2");
  wrong = random_problem(4, 10, 2, -1.0);
  expect_refusal(
      [&] { return solve(wrong.with(L1{}), {}, Context{}); },
      "C times the weights of class and sample must be in [1e-50, 1e+50], sample 1 has -1");
}

TEST(SupportMatrix, HasEveryCellAndReasonsForRefusals) {
  const auto cells = support_matrix();
  EXPECT_EQ(cells.size(), losses().size() * regularizers().size() * solver_names().size());
  for (const Support& cell : cells) EXPECT_EQ(cell.supported, cell.reason.empty());
}

}  // namespace
}  // namespace kernmix
