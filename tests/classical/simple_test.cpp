#include "classical/simple.hpp"

#include <limits>
#include <random>

#include "regularizer/any.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(SimpleMkl, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    expect_solved(owned.with(L1{}), "simple", 1e-3);
  }
}

// For any gradient and any weights on the simplex, also below a bound: the direction keeps the sum
// and the bounds, and descends; it has nowhere to go only where the weights are optimal for the
// linearised J.
TEST(SimpleMkl, DirectionIsFeasibleAndDescends) {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int trial = 0; trial < 500; ++trial) {
    const std::size_t M = 2 + static_cast<std::size_t>(trial) % 7;
    const double bound = trial % 2 == 0 ? kInfinity : 2.0 / static_cast<double>(M);
    Vector g(M);
    for (double& value : g) value = -uniform(engine);
    Vector d(M, 0.0);
    // Vertices too: half of the trials have all weights at 0 or the largest value.
    const std::size_t used = bound == kInfinity ? 1 : (M + 1) / 2;
    for (std::size_t m = 0; m < used; ++m) d[m] = std::min(bound, 1.0);
    if (bound != kInfinity) d[used - 1] = 1.0 - bound * static_cast<double>(used - 1);
    if (trial % 4 >= 2) d.assign(M, 1.0 / static_cast<double>(M));

    const ReducedDirection direction(g, d, bound);
    const double longest = direction.longest(d);
    if (longest > 0.0) {
      for (const double t : {0.3 * longest, longest}) {
        const Vector x = direction.step(d, t);
        expect_on_simplex(x, std::min(bound, 1.0));
        EXPECT_LT(change_along(g, x, d), 0.0);
      }
      continue;
    }
    double least_free = kInfinity;
    double most_used = -kInfinity;
    for (std::size_t m = 0; m < M; ++m) {
      if (d[m] < std::min(bound, 1.0) - 1e-9) least_free = std::min(least_free, g[m]);
      if (d[m] > 1e-9) most_used = std::max(most_used, g[m]);
    }
    EXPECT_GE(least_free, most_used - 1e-9) << "a pair could exchange weight";
  }
}

TEST(SimpleMkl, LongestStepEmptiesAWeight) {
  const Vector g = {-1.0, -3.0, -2.0};
  const Vector d = {0.5, 0.3, 0.2};
  const ReducedDirection direction(g, d, kInfinity);
  const Vector x = direction.step(d, direction.longest(d));
  EXPECT_EQ(x[0], 0.0);
  expect_on_simplex(x);
}

TEST(SimpleMkl, StepsFall) {
  const OwnedProblem owned = random_problem(16, 40, 4, 1.0);
  const Problem problem = owned.with(L1{});
  SolverOptions options;
  options.tolerance = 1e-9;
  const Context context;
  kernmix::Objective run("simple", problem, options, context);
  Point point = run.evaluate(L1{}.initial_weights(run.kernels()), "start");
  double before = value_at(owned, point.d);
  for (int k = 0; k < 3; ++k) {
    const ReducedDirection direction(gradient(L1{}, point), point.d, kInfinity);
    const double upper = point.upper;
    ASSERT_TRUE(reduced_gradient_step(run, point, direction, 0.1));
    EXPECT_LT(point.upper, upper);
    expect_on_simplex(point.d);
    const double now = value_at(owned, point.d);
    EXPECT_LT(now, before);
    before = now;
  }
}

TEST(SimpleMkl, TakesTrivialBanks) {
  expect_trivial_banks_solved("simple");
  expect_zero_kernels_harmless("simple");
}

TEST(SimpleMkl, EndsAtAnImpossibleTolerance) { expect_ends_at_impossible_tolerance("simple"); }

TEST(SimpleMkl, AnyNumberOfThreads) { expect_same_bits_for_any_threads("simple"); }

TEST(SimpleMkl, RefusesOtherSetsOfWeights) {
  expect_refusal("simple", Lp{2.0},
                 "solver simple does not take regularizer lp:p=2: it needs weights on the simplex "
                 "and bounded slopes; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
