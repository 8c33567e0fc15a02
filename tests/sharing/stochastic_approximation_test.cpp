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
            "weights of l1");
  EXPECT_EQ(refusal(Coupling::sum, L1{}),
            "solver stochastic-approximation does not take sharing sum");
  options.solver = "newton";
  EXPECT_EQ(refusal(Coupling::minimax, L1{}), "solver newton does not take sharing minimax");
}

}  // namespace
}  // namespace kernmix
