#include "kernmix/bank/build.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "sharing_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(StochasticApproximation, AgreesWithTheDeterministicMethod) {
  for (const Bias bias : {Bias::free, Bias::none}) {
    const OwnedTasks owned = random_tasks(41, 5, 40, 3, 1.0);
    const Problem problem = owned.with(Coupling::minimax, L1{}, Hinge{}, bias);
    const Answer by_cuts = expect_shared_solved(problem, "lazy-bundle", 1e-4);
    const Answer sampled = expect_shared_solved(problem, "stochastic-approximation", 0.1, 5000);
    expect_same_optimum(sampled.certificate, by_cuts.certificate);
    EXPECT_GT(sampled.svm_solves, by_cuts.svm_solves);
    SolverOptions options;  // tasks are sampled by their weights alone
    options.solver = "stochastic-approximation:delta=0";
    options.tolerance = 0.1;
    options.max_iterations = 5000;
    const Answer uneven = solve(problem, options, {});
    EXPECT_EQ(uneven.status, Status::converged);
    expect_same_optimum(uneven.certificate, by_cuts.certificate);
  }
}

TEST(StochasticApproximation, IsReproducibleByItsSeed) {
  const OwnedTasks owned = random_tasks(42, 4, 30, 2, 1.0);
  const Problem problem = owned.with(Coupling::minimax);
  SolverOptions options;
  options.solver = "stochastic-approximation";
  options.max_iterations = 60;
  options.tolerance = 1e-6;
  const auto with_seed = [&](std::uint64_t seed, int threads) {
    Context context;
    context.seed = seed;
    context.threads = threads;
    return solve(problem, options, context);
  };
  const Answer one = with_seed(1, 1);
  EXPECT_EQ(one.status, Status::iteration_limit);
  for (const int threads : {1, 3}) {
    const Answer again = with_seed(1, threads);
    EXPECT_EQ(one.d, again.d);
    EXPECT_EQ(one.gamma, again.gamma);
    EXPECT_EQ(one.certificate.gap, again.certificate.gap);
  }
  EXPECT_NE(one.gamma, with_seed(2, 1).gamma);
}

TEST(StochasticApproximation, EveryScaleTakesTheSameSteps) {
  const RandomData data(43, 30, 2);
  std::vector<Matrix> scaled = data.kernels();
  for (Matrix& K : scaled) {
    for (double& entry : K.values) entry *= 1024.0;
  }
  OwnedTasks owned = random_tasks(43, 3, 30, 2, 1.0);
  SolverOptions options;
  options.solver = "stochastic-approximation";
  options.max_iterations = 40;
  options.tolerance = 1e-6;
  const Answer plain = solve(owned.with(Coupling::minimax), options, {});
  owned.bank = dense_bank(std::move(scaled));
  for (Task& task : owned.tasks) {
    for (double& C : task.C) C /= 1024.0;
  }
  const Answer other = solve(owned.with(Coupling::minimax), options, {});
  for (std::size_t m = 0; m < plain.d.size(); ++m) EXPECT_NEAR(plain.d[m], other.d[m], 1e-3);
}

TEST(StochasticApproximation, TakesTheNumbersOfThePaper) {
  const OwnedTasks owned = random_tasks(44, 5, 40, 3, 1.0);
  const Problem problem = owned.with(Coupling::minimax);
  SolverOptions options;
  options.max_iterations = 5000;
  options.tolerance = 1e-6;
  const auto solved = [&](const std::string& numbers) {
    options.solver = "stochastic-approximation" + numbers;
    return solve(problem, options, {});
  };
  const Answer stopped = solved(":change=0.01");
  EXPECT_EQ(stopped.status, Status::stopping_rule);
  EXPECT_LT(stopped.svm_solves, 1000);
  EXPECT_LT(solved(":change=0.1").svm_solves, stopped.svm_solves);
  // The same seed draws other tasks where the share of even draws differs.
  EXPECT_NE(solved(":delta=0.9,change=0.01").d, stopped.d);
  EXPECT_NE(solved(":eta=0.01,change=0.01").d, stopped.d);
  for (const char* wrong : {":delta=2", ":eta=-1", ":change=1", ":step=1", ":delta"}) {
    EXPECT_THROW(solved(wrong), ParameterError) << wrong;
  }
  options.solver = "newton:delta=0.2";
  EXPECT_THROW(solve(problem, options, {}), ParameterError);
}

// As in the paper, which compares with the sum by cutting planes (Tang, Chen and Ye 2009).
TEST(StochasticApproximation, SumsHaveClassicalSolvers) {
  const OwnedTasks owned = random_tasks(45, 4, 40, 3, 1.0);
  const Problem problem = owned.with(Coupling::sum);
  const Answer by_newton = expect_shared_solved(problem, "newton", 1e-5);
  expect_same_optimum(expect_shared_solved(problem, "silp", 1e-3).certificate,
                      by_newton.certificate);
  expect_same_optimum(expect_shared_solved(problem, "mirror-descent", 5e-2).certificate,
                      by_newton.certificate);
}

TEST(StochasticApproximation, RefusesOtherForms) {
  SolverOptions options;
  options.solver = "stochastic-approximation";
  const auto refusal = [&](Coupling sharing, const Regularizer& regularizer) -> std::string {
    try {
      check_solver({Hinge{}, regularizer, Bias::free, sharing}, options);
    } catch (const ParameterError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal(Coupling::minimax, L1{}), "");
  EXPECT_EQ(refusal(Coupling::minimax, Lp{1.5}),
            "solver stochastic-approximation does not take regularizer lp:p=1.5: it needs the "
            "weights of l1; solver auto chooses one that fits");
  EXPECT_EQ(refusal(Coupling::sum, L1{}),
            "solver stochastic-approximation does not take sharing sum");
  options.solver = "newton";
  EXPECT_EQ(refusal(Coupling::minimax, L1{}), "solver newton does not take sharing minimax");
}

}  // namespace
}  // namespace kernmix
