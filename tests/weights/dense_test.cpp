/// Many dense kernels: a first look at few of them, and products in single precision, must not
/// show in any bound.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "solver_checks.hpp"

namespace kernmix {
namespace {

using testing::expect_same_bits;
using testing::expect_solved;
using testing::kInfinity;
using testing::make_problem;
using testing::OwnedProblem;
using testing::RandomData;

/// Gaussian kernels on three columns each, drawn at random.
OwnedProblem subsets(Index n, Index M, double C) {
  constexpr Index columns = 8;
  const RandomData data(7, n, columns);
  std::mt19937 engine(3);
  std::vector<Index> order = {0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<Matrix> kernels;
  for (Index m = 0; m < M; ++m) {
    std::shuffle(order.begin(), order.end(), engine);
    kernels.push_back(data.gaussian(m % 2 == 0 ? 1.0 : 2.0, {order[0], order[1], order[2]}));
  }
  return make_problem(std::move(kernels), data.y, C);
}

TEST(Dense, AFirstLookAtFewKernelsLeavesBoundsOfAll) {
  for (const double C : {1.0, 100.0}) {
    const OwnedProblem owned = subsets(80, 120, C);
    const Problem problem = owned.with(L1{});
    const Answer solution = expect_solved(problem, "newton", 1e-5);
    EXPECT_EQ(solution.history.front().active_kernels, 20) << "the first step read all";
    const Answer other = expect_solved(problem, "level", 1e-5);
    EXPECT_LE(solution.certificate.dual, other.certificate.primal);
    EXPECT_GE(solution.certificate.primal, other.certificate.dual);
  }
}

TEST(Dense, TheFirstStepReadsAsManyKernelsAsBoundedWeightsNeed) {
  const OwnedProblem owned = subsets(40, 120, 1.0);
  const Answer solution = expect_solved(owned.with(SoftMargin{0.025}), "newton", 1e-4);
  EXPECT_EQ(solution.history.front().active_kernels, 40);
  EXPECT_LE(*std::ranges::max_element(solution.d), 0.025 * (1.0 + 1e-12));
}

TEST(Dense, OtherLossesAndSetsTakeThemToo) {
  const OwnedProblem owned = subsets(60, 100, 5.0);
  expect_solved(owned.with(L1{}, SquaredHinge{}), "newton", 1e-5);
  expect_solved(owned.with(L1{}, Hinge{}, Bias::none), "newton", 1e-5);
  expect_solved(owned.with(parse_regularizer("soft-margin:theta=0.2")), "newton", 1e-5);
  expect_solved(owned.with(parse_regularizer("l1-unsquared:lambda=1")), "newton", 1e-5);
}

TEST(Dense, TheSameBitsForAnyNumberOfThreads) {
  SolverOptions options;
  options.tolerance = 1e-4;
  expect_same_bits(subsets(80, 120, 10.0).with(L1{}), options);
}

/// From 512 samples on, gaps far above rounding are measured in single precision: what is returned
/// is not.
TEST(Dense, AnswersAreCertifiedOnTheKernelsThemselves) {
  const OwnedProblem owned = subsets(540, 6, 10.0);
  const Problem problem = owned.with(L1{});
  for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
    SolverOptions options;
    options.tolerance = tolerance;
    for (const Index most : {Index{1}, Index{2}, Index{1000}}) {
      options.max_iterations = most;
      const Answer solution = solve(problem, options, Context{});
      Certificate again = certify(problem, solution.d, solution.a, Context{}).certificate;
      if (!solution.witness.empty()) {
        again.raise_dual(certify_dual(problem, solution.witness, Context{}));
      }
      EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-12 * again.primal);
      EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-12 * again.primal);
      EXPECT_LE(again.relative_gap(), most > 2 ? tolerance : kInfinity);
    }
  }
}

}  // namespace
}  // namespace kernmix
