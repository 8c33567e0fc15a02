// Stochastic dual averaging: its certificate, its agreement with exact solvers, its refusals.

#include <gtest/gtest.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::random_problem;

Answer run_epochs(const Problem& problem, Index epochs, const Context& context = {}) {
  SolverOptions options;
  options.solver = "ufo";
  options.tolerance = 1e-9;
  options.max_iterations = epochs + 1;
  return solve(problem, options, context);
}

const char* const kTaken[] = {"ufo:lambda=0.05,alpha=0", "ufo:lambda=0.05,alpha=0.05",
                              "elastic-net:l1=0.02,l2=0.1", "lp:p=2"};

void expect_bounds_at_every_epoch(const Loss& loss, unsigned seed) {
  const OwnedProblem owned = testing::random_problem_for(loss, seed, 40, 3, 0.1);
  for (const char* text : kTaken) {
    SCOPED_TRACE(loss_text(loss));
    const Problem problem = owned.with(parse_regularizer(text), loss, Bias::none);
    SolverOptions options;
    options.solver = "alternating";
    options.tolerance = 1e-6;
    options.max_iterations = 20000;
    const Answer best = solve(problem, options, Context{});
    ASSERT_EQ(best.status, Status::converged) << text;
    const Answer ufo = run_epochs(problem, 60);
    ASSERT_EQ(ufo.history.size(), 61u);
    for (const Iteration& epoch : ufo.history) {
      EXPECT_GE(epoch.primal, best.certificate.dual * (1.0 - 1e-9)) << text;
      EXPECT_LE(epoch.dual, best.certificate.primal * (1.0 + 1e-9)) << text;
    }
    EXPECT_LE(ufo.certificate.relative_gap(), 0.05) << text;
    const Certificate again = certify(problem, ufo.d, ufo.a, Context{}).certificate;
    EXPECT_NEAR(again.primal, ufo.certificate.primal, 1e-12 * again.primal);
    EXPECT_NEAR(again.dual, ufo.certificate.dual, 1e-12 * again.primal);
  }
}

TEST(Ufo, BoundsBracketTheOptimumAtEveryEpoch) { expect_bounds_at_every_epoch(Hinge{}, 31); }

TEST(Ufo, TakesSmoothLossesOfBoundedSlope) {
  for (const Loss& loss : std::vector<Loss>{Logistic{}, HuberHinge{0.5}, Huber{0.5}}) {
    expect_bounds_at_every_epoch(loss, 37);
  }
}

// Orabona and Luo: the error falls like log T / T, so 16 times the epochs divide it by about ten.
TEST(Ufo, TheGapFallsWithTheEpochs) {
  const OwnedProblem owned = random_problem(32, 50, 3, 0.02);
  const Problem problem = owned.with(Ufo{0.5, 0.02}, Hinge{}, Bias::none);
  const double early = run_epochs(problem, 5).certificate.relative_gap();
  const double late = run_epochs(problem, 80).certificate.relative_gap();
  EXPECT_LT(late, early / 4.0);
}

TEST(Ufo, TakesSampleWeights) {
  OwnedProblem owned = random_problem(33, 30, 2, 0.05);
  for (std::size_t i = 0; i < owned.C.size(); i += 3) owned.C[i] *= 4.0;
  const Problem problem = owned.with(Ufo{0.5, 0.0}, Hinge{}, Bias::none);
  const Answer ufo = run_epochs(problem, 100);
  EXPECT_LE(ufo.certificate.relative_gap(), 0.05);
  for (std::size_t i = 0; i < owned.y.size(); ++i) {
    EXPECT_GE(ufo.a[0][i] * owned.y[i], 0.0);
    EXPECT_LE(ufo.a[0][i] * owned.y[i], owned.C[i]);
  }
}

TEST(Ufo, TheSeedDecidesTheOrderAndThreadsDoNot) {
  const OwnedProblem owned = random_problem(34, 20, 3, 0.05);
  const Problem problem = owned.with(Ufo{0.5, 0.01}, Hinge{}, Bias::none);
  const Answer first = run_epochs(problem, 3);
  for (const int threads : {2, 5}) {
    Context several;
    several.threads = threads;
    const Answer other = run_epochs(problem, 3, several);
    EXPECT_EQ(first.d, other.d);
    EXPECT_EQ(first.a, other.a);
  }
  Context reseeded;
  reseeded.seed = 1;
  EXPECT_NE(first.a, run_epochs(problem, 3, reseeded).a);
}

TEST(Ufo, AnswersAlsoWhenItIsStoppedAtOnce) {
  const OwnedProblem owned = random_problem(35, 30, 2, 0.05);
  const Problem problem = owned.with(Ufo{0.5, 0.01}, Hinge{}, Bias::none);
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  const Answer solution = run_epochs(problem, 5, late);
  EXPECT_EQ(solution.status, Status::time_limit);
  EXPECT_EQ(solution.history.size(), 1u);
  EXPECT_GE(solution.certificate.gap, 0.0);
}

std::string refusal_of(const Problem& problem) {
  try {
    static_cast<void>(run_epochs(problem, 1));
  } catch (const ParameterError& refusal) {
    return refusal.what();
  }
  return "";
}

TEST(Ufo, RefusesWithTheReason) {
  const OwnedProblem owned = random_problem(36, 20, 2, 0.05);
  EXPECT_EQ(refusal_of(owned.with(Ufo{1.0, 0.1})), "solver ufo needs bias none, got free");
  EXPECT_EQ(refusal_of(owned.with(L1{}, Hinge{}, Bias::none)),
            "solver ufo does not take regularizer l1: it needs a strongly convex block norm with "
            "weights from its dual; solver auto chooses one that fits");
  EXPECT_EQ(refusal_of(owned.with(Ufo{1.0, 0.1}, Squared{}, Bias::none)),
            "solver ufo does not take loss squared: it needs a loss that is a sum "
            "over samples, of bounded slope; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
