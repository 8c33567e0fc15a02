#include "regularizer/any.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(BlockCoordinate, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    expect_solved(owned.with(L1{}), "block-coordinate", 1e-3);
  }
}

/// One step of the paper's algorithm, with its SVM solved tightly.
Vector next_weights(const OwnedProblem& owned, const Vector& d) {
  const Answer svm = solve_tightly(owned.with(Fixed{d}));
  Vector q = all_forms(*owned.bank, svm.a[0], Context{});
  Vector next(d.size());
  double sum = 0.0;
  for (std::size_t m = 0; m < d.size(); ++m) sum += next[m] = d[m] * std::sqrt(q[m]);
  for (double& weight : next) weight /= sum;
  return next;
}

// J falls from each of the paper's iterates to the next, and the solver's primal value, which has
// the best weights for its functions, lies between the two.
TEST(BlockCoordinate, IsThePapersAlternationAndFalls) {
  const OwnedProblem owned = random_problem(13, 40, 4, 1.0);
  const auto M = static_cast<std::size_t>(owned.bank->kernels());
  Vector d(M, 1.0 / static_cast<double>(M));
  double now = value_at(owned, d);
  SolverOptions options;
  options.solver = "block-coordinate";
  options.tolerance = 1e-9;
  for (Index k = 1; k < 10; ++k) {
    d = next_weights(owned, d);
    const double next = value_at(owned, d);
    EXPECT_LT(next, now);
    options.max_iterations = k;
    const Answer solution = solve(owned.with(L1{}), options, Context{});
    EXPECT_LE(solution.history.back().primal, now * 1.005) << k;
    EXPECT_GE(solution.history.back().primal, next * 0.995) << k;
    now = next;
  }
}

TEST(BlockCoordinate, TakesTrivialBanks) {
  expect_trivial_banks_solved("block-coordinate");
  expect_zero_kernels_harmless("block-coordinate");
}

TEST(BlockCoordinate, EndsAtAnImpossibleTolerance) {
  expect_ends_at_impossible_tolerance("block-coordinate");
}

TEST(BlockCoordinate, AnyNumberOfThreads) { expect_same_bits_for_any_threads("block-coordinate"); }

TEST(BlockCoordinate, RefusesOtherSetsOfWeights) {
  expect_refusal("block-coordinate", Lp{2.0},
                 "solver block-coordinate does not take regularizer lp:p=2: it needs closed-form "
                 "weights on the simplex; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
