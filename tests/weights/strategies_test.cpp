/// \file
/// The strategies of `newton`: each can be left out, and says when it takes over.

#include "weights/strategies/strategies.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernmix/solve.hpp"
#include "solver_checks.hpp"

namespace kernmix::testing {
namespace {

/// Whatever is left out, alone or together, the optimum is the same.
TEST(Strategies, AreNotNeeded) {
  SolverOptions none;
  for (const StrategyInfo& info : strategy_list()) none.without.push_back(info.name);
  for (const char* regularizer : {"l1", "lp:p=2", "l1-unsquared:lambda=1"}) {
    for (const double C : {1.0, 100.0}) {
      const OwnedProblem owned = random_problem(4, 120, 6, C);
      const Problem problem = owned.with(parse_regularizer(regularizer));
      const Certificate all = solve(problem, {}, Context{}).certificate;
      std::vector<std::vector<std::string>> some = {none.without};
      for (const std::string& name : none.without) some.push_back({name});
      for (const std::vector<std::string>& without : some) {
        SolverOptions options;
        options.without = without;
        const Answer solution = solve(problem, options, Context{});
        EXPECT_LE(solution.certificate.dual, all.primal) << regularizer << ", " << without.front();
        EXPECT_GE(solution.certificate.primal, all.dual) << regularizer << ", " << without.front();
        EXPECT_TRUE(without.size() > 1 || solution.status == Status::converged) << without.front();
      }
    }
  }
}

TEST(Strategies, OfOtherNamesAreRefused) {
  SolverOptions options;
  options.without = {"levels"};
  try {
    check(options);
    FAIL();
  } catch (const ParameterError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("unknown strategy 'levels'"), 0u) << text;
    EXPECT_NE(text.find("known are earlier-answer, part-of-samples, part-of-kernels"),
              std::string::npos)
        << text;
  }
}

TEST(Strategies, SayWhatTheyAre) {
  for (const StrategyInfo& info : strategy_list()) {
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.what.size(), 20u) << info.name;
  }
}

constexpr Trial kRejected{};
constexpr Trial kAccepted{true, false};
constexpr Trial kAsPromised{true, true};

TEST(StepProgress, NewtonIsLostWhereAStepWasRejected) {
  StepProgress record(0.5);
  EXPECT_TRUE(record.at_start());
  EXPECT_FALSE(record.newton_lost());
  record.see_newton(kAsPromised, 0.4);
  EXPECT_FALSE(record.at_start());
  EXPECT_FALSE(record.newton_lost());
  record.see_newton(kRejected, 0.4);
  EXPECT_TRUE(record.newton_lost());
  record.see_other(0.3);
  EXPECT_FALSE(record.newton_lost()) << "the others have had their turn";
}

TEST(StepProgress, NewtonIsLostSoonerWhereJDoesNotFallAsPromised) {
  const auto steps_until_lost = [](const Trial& trial) {
    StepProgress record(0.5);
    int steps = 0;
    while (!record.newton_lost()) {
      record.see_newton(trial, 0.5);
      ++steps;
    }
    return steps;
  };
  EXPECT_LT(steps_until_lost(kAccepted), steps_until_lost(kAsPromised));
}

TEST(StepProgress, IsExhaustedWhereNothingHelps) {
  StepProgress record(0.5);
  for (int step = 0; step < 39; ++step) record.see_newton(kAccepted, 0.5);
  EXPECT_FALSE(record.exhausted());
  record.see_newton(kAccepted, 0.499);
  EXPECT_TRUE(record.exhausted()) << "0.2 % is nothing";
  record.see_other(0.4);
  EXPECT_FALSE(record.exhausted());
}

}  // namespace
}  // namespace kernmix::testing
