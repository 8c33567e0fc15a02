// Tasks with weights of their own in one problem are the problems of each.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "kernmix/error.hpp"
#include "kernmix/solve.hpp"
#include "random_tasks.hpp"

namespace kernmix {
namespace {

using namespace testing;

/// Every task of `problem` solved by itself, on the kernels of its rows.
std::vector<Answer> one_by_one(const Problem& problem, const SolverOptions& options) {
  std::vector<Answer> answers;
  for (const Task& task : problem.tasks) {
    std::unique_ptr<KernelBank> part;
    if (!task.rows.empty()) part = problem.bank.restricted(task.rows, Context{});
    const Problem own(part ? *part : problem.bank, problem.loss, problem.regularizer, task.y,
                      task.C, problem.bias);
    answers.push_back(solve(own, options, Context{}));
  }
  return answers;
}

/// Bit by bit what the tasks give alone.
void expect_same(const Answer& together, const std::vector<Answer>& alone) {
  Bounds sum;
  Vector d;
  std::size_t steps = 0;
  ASSERT_EQ(together.a.size(), alone.size());
  for (std::size_t k = 0; k < alone.size(); ++k) {
    std::ranges::copy(alone[k].d, std::back_inserter(d));
    EXPECT_EQ(together.a[k], alone[k].a.front());
    EXPECT_EQ(together.certificate.bias[k], alone[k].certificate.bias.front());
    sum.add(alone[k].certificate);
    steps += alone[k].history.size();
  }
  EXPECT_EQ(together.d, d);
  EXPECT_EQ(together.certificate.primal, sum.primal);
  EXPECT_EQ(together.certificate.dual, sum.dual);
  EXPECT_EQ(together.certificate.gap, sum.gap);
  EXPECT_EQ(together.history.size(), steps);
  EXPECT_EQ(together.status, Status::converged);
}

TEST(SeparateTasks, AreTheProblemsOfEachWithEverySolver) {
  const OwnedTasks owned = random_tasks(5, 3, 30, 3, 1.0);
  for (const std::string& name : solver_names()) {
    for (const char* regularizer : {"l1", "lp:p=1.5", "mixed-norm:q=1.5"}) {
      SolverOptions options;
      options.solver = name;
      options.tolerance = 1e-2;
      const Problem problem = owned.with(Coupling::separate, parse_regularizer(regularizer));
      try {
        check_solver(kind_of(problem), options);
      } catch (const ParameterError&) {
        continue;
      }
      SCOPED_TRACE(name + ", " + regularizer);
      expect_same(solve(problem, options, Context{}), one_by_one(problem, options));
    }
  }
}

TEST(SeparateTasks, OfPairsAreSolvedOnTheKernelsOfTheirSamples) {
  const OwnedTasks owned = pair_tasks(6, 40, 3, 1.0);
  const Problem problem = owned.with(Coupling::separate);
  expect_same(solve(problem, {}, Context{}), one_by_one(problem, {}));
  const Problem first(*owned.bank, Hinge{}, L1{}, {owned.tasks.front()}, Coupling::separate);
  expect_same(solve(first, {}, Context{}), one_by_one(first, {}));
}

TEST(SeparateTasks, HaveWeightsThatATwoStageRuleFindsForEach) {
  const OwnedTasks owned = random_tasks(7, 2, 30, 3, 1.0);
  const Problem problem = owned.with(Coupling::separate, parse_regularizer("alignf"));
  const Answer answer = solve(problem, {}, Context{});
  expect_same(answer, one_by_one(problem, {}));
  const Certificate again = certify(problem, answer.d, answer.a, Context{}).certificate;
  EXPECT_LE(again.dual, answer.certificate.primal);
  EXPECT_LE(answer.certificate.dual, again.primal);
}

TEST(SeparateTasks, AreCertifiedByTheSumOfTheirBounds) {
  const std::vector<Loss> losses = {Hinge{}, Logistic{}, Squared{}};
  for (const Loss& loss : losses) {
    const OwnedTasks owned = random_tasks(8, 3, 25, 3, 0.7, loss);
    for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
      const Problem problem = owned.with(Coupling::separate, Lp{1.5}, loss, bias);
      const Answer answer = solve(problem, {}, Context{});
      const CertifiedPoint point = certify(problem, answer.d, answer.a, Context{});
      Bounds sum;
      for (Index k = 0; k < problem.size(); ++k) {
        const ConstSpan d = weights_of(problem, answer.d, k);
        const CertifiedPoint own = certify(alone(problem, k), d, {answer.a[to_size(k)]}, Context{});
        sum.add(own.certificate);
        EXPECT_TRUE(std::ranges::equal(point.Z.row(k), own.Z.row(0)));
        EXPECT_TRUE(std::ranges::equal(point.Q.row(k), own.Q.row(0)));
      }
      EXPECT_EQ(point.certificate.primal, sum.primal);
      EXPECT_EQ(point.certificate.dual, sum.dual);
      EXPECT_LE(point.certificate.relative_gap(), 1.01e-3);
      EXPECT_NEAR(certify_dual(problem, answer.a, Context{}), sum.dual,
                  1e-9 * point.certificate.size());
    }
  }
}

/// Weights that all tasks share are among those that each may have.
TEST(SeparateTasks, CostNoMoreThanSharedOnes) {
  const OwnedTasks owned = random_tasks(9, 3, 30, 3, 1.0);
  const Answer apart = solve(owned.with(Coupling::separate), {}, Context{});
  Vector d = solve(owned.with(Coupling::sum), {}, Context{}).d;
  double shared = 0.0;
  for (Index k = 0; k < 3; ++k) {
    const Problem own = owned.alone(k, Fixed{d});
    shared += solve(own, {}, Context{}).certificate.primal;
  }
  EXPECT_LE(apart.certificate.dual, shared);
}

TEST(SeparateTasks, StopWhenTimeIsUpWithAnAnswerOfEach) {
  const OwnedTasks owned = random_tasks(11, 3, 30, 3, 1.0);
  const std::atomic<bool> cancelled = true;
  Context context;
  context.cancelled = &cancelled;
  SolverOptions options;
  options.tolerance = 1e-9;
  const Answer answer = solve(owned.with(Coupling::separate), options, context);
  EXPECT_EQ(answer.status, Status::interrupted);
  EXPECT_EQ(answer.a.size(), 3);
  EXPECT_EQ(answer.d.size(), to_size(3 * owned.bank->kernels()));
  EXPECT_LE(answer.certificate.dual, answer.certificate.primal);
}

template <typename Call>
std::string refusal_of_separate(Call call) {
  try {
    static_cast<void>(call());
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(SeparateTasks, AreRefusedByTheirNumbers) {
  OwnedTasks owned = random_tasks(12, 2, 20, 3, 1.0);
  const Problem problem = owned.with(Coupling::separate);
  const Index M = problem.kernels();
  const Answer answer = solve(problem, {}, Context{});
  const auto certify_first_weights = [&] {
    return certify(problem, weights_of(problem, answer.d, 0), answer.a, Context{});
  };
  EXPECT_EQ(refusal_of_separate(certify_first_weights), "the kernel weights d must have length " +
                                                            std::to_string(2 * M) + ", got " +
                                                            std::to_string(M));
  const auto solve_again = [&] { return solve(owned.with(Coupling::separate), {}, Context{}); };
  owned.tasks[1].C[4] = 0.0;
  EXPECT_EQ(refusal_of_separate(solve_again),
            "task 2: C times the weights of class and sample must be in [1e-50, 1e+50], sample "
            "5 has 0");
  owned.tasks.clear();
  EXPECT_EQ(refusal_of_separate(solve_again), "at least 1 task is needed, got 0");
}

TEST(SeparateTasks, CannotBeClassesThatAreTrainedTogether) {
  const OwnedTasks owned = random_tasks(13, 2, 20, 3, 1.0);
  Problem problem = owned.with(Coupling::separate);
  problem.loss = of_all_classes(problem.loss);
  EXPECT_EQ(refusal_of_separate([&] { return solve(problem, {}, Context{}); }),
            "classes trained together are a problem of one task");
}

}  // namespace
}  // namespace kernmix
