// SMO-MKL: one loop over pairs reaches the same certified optimum as alternation with an SVM.

#include <gtest/gtest.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using testing::expect_an_answer_when_stopped_at_once;
using testing::OwnedProblem;
using testing::random_problem;
using testing::refusal_of;

Answer solve_pairwise(const Problem& problem, const std::string& solver, double tolerance) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = 5000;
  return solve(problem, options, Context{});
}

/// Both brackets hold the optimum, so they overlap.
void expect_pairs_agree(const Problem& problem, double tolerance, const std::string& what) {
  const Answer pairs = solve_pairwise(problem, "smo-mkl", tolerance);
  EXPECT_EQ(pairs.status, Status::converged) << what;
  EXPECT_LE(pairs.certificate.relative_gap(), tolerance) << what;
  const Answer other = solve_pairwise(problem, "alternating", 1e-5);
  EXPECT_EQ(other.status, Status::converged) << what;
  EXPECT_LE(pairs.certificate.dual, other.certificate.primal * (1.0 + 1e-12)) << what;
  EXPECT_GE(pairs.certificate.primal, other.certificate.dual * (1.0 - 1e-12)) << what;
  const Certificate again = certify(problem, pairs.d, pairs.a, Context{}).certificate;
  EXPECT_NEAR(again.primal, pairs.certificate.primal, 1e-12 * again.primal) << what;
  EXPECT_NEAR(again.dual, pairs.certificate.dual, 1e-12 * again.primal) << what;
}

TEST(SmoMkl, ReachesTheCertifiedOptimum) {
  for (const double C : {0.01, 1.0, 100.0}) {
    const OwnedProblem owned = random_problem(41, 40, 3, C);
    for (const char* text :
         {"lp-tikhonov:p=2,lambda=1", "lp-tikhonov:p=1.2,lambda=0.1", "lp-tikhonov:p=4,lambda=3",
          "lp:p=1.5", "lp:p=3", "soft-margin-square-loss:theta=2"}) {
      expect_pairs_agree(owned.with(parse_regularizer(text)), 1e-7, std::string(text));
    }
  }
}

TEST(SmoMkl, TakesEveryBiasAndSampleWeights) {
  OwnedProblem owned = random_problem(42, 30, 3, 2.0);
  for (std::size_t i = 0; i < owned.C.size(); i += 3) owned.C[i] *= 5.0;
  for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
    const auto name = bias_name(bias);
    expect_pairs_agree(owned.with(LpTikhonov{2.0, 0.5}, Hinge{}, bias), 1e-7, name);
    expect_pairs_agree(owned.with(LpTikhonov{1.3, 0.5}, Hinge{}, bias), 1e-7, name);
  }
}

TEST(SmoMkl, TakesTheElasticNet) {
  const OwnedProblem owned = random_problem(43, 40, 3, 1.0);
  expect_pairs_agree(owned.with(ElasticNet{0.3, 0.5}), 1e-6, "elastic net");
}

TEST(SmoMkl, TakesTheSquaredLoss) {
  const OwnedProblem owned = testing::random_problem_for(Squared{}, 49, 40, 3, 1.0);
  for (const Bias bias : testing::bias_rules(Squared{})) {
    expect_pairs_agree(owned.with(LpTikhonov{2.0, 0.5}, Squared{}, bias), 1e-7, bias_name(bias));
    expect_pairs_agree(owned.with(Lp{1.5}, Squared{}, bias), 1e-7, bias_name(bias));
  }
}

// Whatever the weights, d(a) leaves no outer gap: the whole gap is that of the SVM.
TEST(SmoMkl, LeavesNoOuterGap) {
  const OwnedProblem owned = random_problem(44, 40, 3, 1.0);
  const Answer solution = solve_pairwise(owned.with(LpTikhonov{2.0, 1.0}), "smo-mkl", 1e-3);
  EXPECT_GT(solution.certificate.inner_gap, 0.0);
  EXPECT_LE(solution.certificate.outer_gap, 1e-12 * solution.certificate.primal);
}

TEST(SmoMkl, AnyNumberOfThreadsGivesTheSameBits) {
  const OwnedProblem owned = random_problem(45, 140, 2, 1.0);  // two tasks of samples
  const Problem problem = owned.with(LpTikhonov{1.5, 1.0});
  SolverOptions options;
  options.solver = "smo-mkl";
  options.tolerance = 1e-2;
  const Answer first = solve(problem, options, Context{});
  Context several;
  several.threads = 3;
  const Answer other = solve(problem, options, several);
  EXPECT_EQ(first.d, other.d);
  EXPECT_EQ(first.a, other.a);
  EXPECT_EQ(first.inner_iterations, other.inner_iterations);
}

// Which rows are kept is a matter of speed only.
TEST(SmoMkl, ASmallMemoryBudgetDoesNotChangeTheAnswer) {
  const OwnedProblem owned = random_problem(48, 40, 3, 1.0);
  const Problem problem = owned.with(LpTikhonov{2.0, 1.0});
  SolverOptions options;
  options.solver = "smo-mkl";
  const Answer first = solve(problem, options, Context{});
  Context small;
  small.memory_bytes = owned.bank->bytes() + std::size_t{4} * 40 * 12 * sizeof(double);
  const Answer other = solve(problem, options, small);
  EXPECT_EQ(first.a, other.a);
}

TEST(SmoMkl, RefusesWithTheReason) {
  const OwnedProblem owned = random_problem(46, 20, 2, 1.0);
  EXPECT_EQ(refusal_of(owned.with(L1{}), "smo-mkl"),
            "solver smo-mkl does not take regularizer l1: it needs a penalty that makes the dual "
            "smooth, with its curvature; solver auto chooses one that fits");
  EXPECT_EQ(refusal_of(owned.with(Lp{2.0}, Logistic{}), "smo-mkl"),
            "solver smo-mkl does not take loss logistic: it needs a loss of piecewise linear or "
            "quadratic terms; solver auto chooses one that fits");
  Context small;
  small.memory_bytes = owned.bank->bytes() + 1024;
  EXPECT_EQ(refusal_of(owned.with(Lp{2.0}), "smo-mkl", small).find("solver smo-mkl keeps K_m a"),
            0u);
}

TEST(SmoMkl, AnswersAlsoWhenItIsStoppedAtOnce) {
  const OwnedProblem owned = random_problem(47, 30, 2, 1.0);
  expect_an_answer_when_stopped_at_once(owned.with(Lp{2.0}), "smo-mkl");
}

}  // namespace
}  // namespace kernmix
