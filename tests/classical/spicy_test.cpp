// The dual augmented Lagrangian reaches the optimum of the other solvers, certified.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using testing::expect_an_answer_when_stopped_at_once;
using testing::expect_same_bits;
using testing::OwnedProblem;
using testing::random_problem;
using testing::refusal_of;

Answer solved_by(const Problem& problem, const std::string& solver, double tolerance) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  return solve(problem, options, Context{});
}

void expect_spicy_agrees(const Problem& problem, const std::string& what) {
  const Answer spicy = solved_by(problem, "spicy", 1e-7);
  EXPECT_EQ(spicy.status, Status::converged) << what;
  const Answer other = solved_by(problem, "auto", 1e-6);
  EXPECT_EQ(other.status, Status::converged) << what;
  EXPECT_LE(spicy.certificate.dual, other.certificate.primal * (1.0 + 1e-12)) << what;
  EXPECT_GE(spicy.certificate.primal, other.certificate.dual * (1.0 - 1e-12)) << what;
  const Certificate again = certify(problem, spicy.d, spicy.a, Context{}).certificate;
  EXPECT_NEAR(again.primal, spicy.certificate.primal, 1e-10 * again.primal) << what;
  EXPECT_NEAR(again.dual, spicy.certificate.dual, 1e-10 * again.primal) << what;
}

/// Real targets with a mean, so that the bias matters.
OwnedProblem regression(unsigned seed, Index n, double C) {
  OwnedProblem owned = random_problem(seed, n, 3, C);
  const testing::RandomData other(seed + 50, n, 2);
  for (std::size_t i = 0; i < owned.y.size(); ++i) {
    owned.y[i] = 2.0 + owned.y[i] + 0.3 * other.X.values[i];
  }
  return owned;
}

TEST(Spicy, ReachesTheOptimumOfTheOtherSolvers) {
  for (const double C : {0.1, 1.0, 30.0}) {
    const OwnedProblem owned = regression(51, 40, C);
    for (const char* text :
         {"l1-unsquared:lambda=1", "l1-unsquared:lambda=0.2", "elastic-net:l1=0.5,l2=0.5",
          "elastic-net:l1=0.1,l2=0.02", "l1", "elastic-net-bach:lambda=0.5", "lp:p=1.3", "lp:p=2",
          "ufo:lambda=0.5,alpha=0.2"}) {
      expect_spicy_agrees(owned.with(parse_regularizer(text), Squared{}),
                          fmt::format("{} C={}", text, C));
    }
  }
}

TEST(Spicy, ReachesTheOptimumOfNewtonWithTheLogisticLoss) {
  for (const unsigned seed : {57u, 58u}) {
    for (const double C : {0.1, 1.0, 30.0}) {
      const OwnedProblem owned = random_problem(seed, 40, 3, C);
      for (const char* text : {"l1-unsquared:lambda=0.2", "elastic-net:l1=0.1,l2=0.02", "l1",
                               "elastic-net-bach:lambda=0.5", "lp:p=1.3", "lp:p=2"}) {
        const Problem problem = owned.with(parse_regularizer(text), Logistic{});
        EXPECT_EQ(solved_by(problem, "auto", 1e-2).solver, "newton") << text;
        expect_spicy_agrees(problem, fmt::format("{} C={}", text, C));
      }
    }
  }
}

// By the Moreau envelope of the conjugate: the dual vector is in its box without a step to it.
TEST(Spicy, ReachesTheOptimumWhereTheDualHasKinks) {
  for (const double C : {0.1, 1.0, 30.0}) {
    const OwnedProblem classes = random_problem(61, 40, 3, C);
    const OwnedProblem numbers = regression(62, 40, C);
    for (const char* text :
         {"l1-unsquared:lambda=0.2", "elastic-net:l1=0.1,l2=0.02", "l1",
          "elastic-net-bach:lambda=0.5", "lp:p=1.3", "ufo:lambda=0.5,alpha=0.2"}) {
      for (const char* loss : {"hinge", "squared-hinge", "huber-hinge:h=0.5"}) {
        expect_spicy_agrees(classes.with(parse_regularizer(text), parse_loss(loss)),
                            fmt::format("{} {} C={}", loss, text, C));
      }
      for (const char* loss :
           {"epsilon:eps=0.1", "squared-epsilon:eps=0.1", "huber:delta=1", "pinball:tau=0.7"}) {
        expect_spicy_agrees(numbers.with(parse_regularizer(text), parse_loss(loss)),
                            fmt::format("{} {} C={}", loss, text, C));
      }
    }
  }
}

TEST(Spicy, TakesEveryBias) {
  const OwnedProblem owned = regression(52, 30, 1.0);
  for (const Bias bias : {Bias::free, Bias::none, Bias::penalised}) {
    for (const char* text : {"l1-unsquared:lambda=1", "elastic-net:l1=0.5,l2=0.5", "l1"}) {
      expect_spicy_agrees(owned.with(parse_regularizer(text), Squared{}, bias), bias_name(bias));
      expect_spicy_agrees(owned.with(parse_regularizer(text), Epsilon{0.1}, bias), bias_name(bias));
    }
  }
}

// With a large lambda every function is zero, and only the bias is left.
TEST(Spicy, FindsThatNothingIsWorthIt) {
  const OwnedProblem owned = regression(53, 30, 1.0);
  const Answer solution = solved_by(owned.with(L1Unsquared{1000.0}, Squared{}), "spicy", 1e-7);
  EXPECT_EQ(solution.status, Status::converged);
  double mean = 0.0;
  for (const double y : owned.y) mean += y / 30.0;
  EXPECT_NEAR(solution.certificate.only_bias(), mean, 1e-6);
}

TEST(Spicy, AnyNumberOfThreadsGivesTheSameBits) {
  const OwnedProblem owned = regression(54, 60, 1.0);
  const Problem problem = owned.with(ElasticNet{0.3, 0.3}, Squared{});
  SolverOptions options;
  options.solver = "spicy";
  expect_same_bits(problem, options);
}

TEST(Spicy, RefusesWithTheReason) {
  const OwnedProblem owned = random_problem(55, 20, 2, 1.0);
  EXPECT_EQ(refusal_of(owned.with(L1{}, parse_loss("komd:lambda=0.1")), "spicy"),
            "solver spicy does not take loss komd:lambda=0.1: it needs a dual that is smooth or "
            "quadratic in its box; solver auto chooses one that fits");
  EXPECT_EQ(refusal_of(owned.with(Sgmkl{0.5}, Squared{}), "spicy"),
            "solver spicy does not take regularizer sgmkl:v=0.5: it needs the proximal map of its "
            "block norm; solver auto chooses one that fits");
  Context small;
  small.memory_bytes = owned.bank->bytes() + 1024;
  EXPECT_EQ(refusal_of(owned.with(L1{}, Squared{}), "spicy", small).find("solver spicy factorises"),
            0u);
}

TEST(Spicy, AnswersAlsoWhenItIsStoppedAtOnce) {
  const OwnedProblem owned = regression(56, 30, 1.0);
  expect_an_answer_when_stopped_at_once(owned.with(L1{}, Squared{}), "spicy");
}

}  // namespace
}  // namespace kernmix
