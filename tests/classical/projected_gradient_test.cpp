#include "classical/projected_gradient.hpp"

#include "regularizer/any.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(ProjectedGradient, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    for (const char* regularizer : {"l1", "lp:p=1.5", "lp:p=2"}) {
      expect_solved(owned.with(parse_regularizer(regularizer)), "projected-gradient", 1e-3);
    }
  }
}

// -q/2 is the gradient of J on D: the difference quotient along random directions within the
// simplex, from SVMs that know nothing of it.
TEST(ProjectedGradient, GradientIsThatOfJ) {
  const OwnedProblem owned = random_problem(14, 30, 3, 1.0);
  const auto M = static_cast<std::size_t>(owned.bank->kernels());
  const Vector d(M, 1.0 / static_cast<double>(M));
  Point point;
  point.d = d;
  point.q.resize(M);
  point.q = all_forms(*owned.bank, solve_tightly(owned.with(Fixed{d})).a[0], Context{});
  const Vector g = gradient(L1{}, point);
  for (std::size_t m = 0; m + 1 < M; m += 3) {
    Vector direction(M, 0.0);
    direction[m] = 1.0;
    direction[m + 1] = -1.0;
    const double h = 1e-3;
    const double up = value_at(owned, moved(d, h, direction));
    const double down = value_at(owned, moved(d, -h, direction));
    EXPECT_NEAR((up - down) / (2.0 * h), g[m] - g[m + 1], 2e-2 * std::abs(g[m]));
  }
}

// Every accepted step lowers J up to the accuracy of the SVMs.
TEST(ProjectedGradient, StepsFall) {
  const OwnedProblem owned = random_problem(15, 40, 4, 1.0);
  const Problem problem = owned.with(L1{});
  SolverOptions options;
  options.tolerance = 1e-9;
  const Context context;
  kernmix::Objective run("projected-gradient", problem, options, context);
  const L1 l1;
  Point point = run.evaluate(l1.initial_weights(run.kernels()), "start");
  double t = 0.1;
  double before = value_at(owned, point.d);
  for (int k = 0; k < 5; ++k) {
    ASSERT_TRUE(search_projection_arc(l1, run, point, t));
    expect_on_simplex(point.d);
    const double now = value_at(owned, point.d);
    EXPECT_LT(now, before + point.inner_gap);
    before = now;
  }
}

TEST(ProjectedGradient, TakesTrivialBanks) {
  expect_trivial_banks_solved("projected-gradient");
  expect_zero_kernels_harmless("projected-gradient");
}

TEST(ProjectedGradient, EndsAtAnImpossibleTolerance) {
  expect_ends_at_impossible_tolerance("projected-gradient");
}

TEST(ProjectedGradient, AnyNumberOfThreads) {
  expect_same_bits_for_any_threads("projected-gradient");
}

}  // namespace
}  // namespace kernmix
