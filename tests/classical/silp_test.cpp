#include <limits>
#include <random>

#include "regularizer/any.hpp"
#include "weights/cuts/cut_program.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(Silp, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    for (const double tolerance : {1e-2, 1e-3, 1e-6}) {
      const Answer solution = expect_solved(owned.with(L1{}), "silp", tolerance);
      expect_on_simplex(solution.d);
    }
  }
}

TEST(Silp, TheProofIsAsGoodAsItsBoundClaims) {
  for (const unsigned seed : {17u, 18u, 19u}) {
    const OwnedProblem owned = random_problem(seed, 60, 5, 10.0);
    const Problem problem = owned.with(L1{});
    const Answer solution = expect_solved(problem, "silp", 1e-4);
    ASSERT_FALSE(solution.witness.empty());
    EXPECT_GE(certify_dual(problem, solution.witness, Context{}), solution.history.back().dual);
    const Certificate alone = certify(problem, solution.d, solution.a, Context{}).certificate;
    EXPECT_GT(solution.certificate.dual, alone.dual);
  }
}

Point random_cut(std::mt19937& engine, std::size_t M) {
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  Point point;
  point.gain = 1.0 + uniform(engine);
  point.q.resize(M);
  for (double& value : point.q) value = 3.0 * uniform(engine);
  point.a = {point.gain};
  return point;
}

double highest_cut(const Bundle& cuts, const Vector& d) {
  double top = -kInfinity;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    top = std::max(
        top, cuts.gain(i) - 0.5 * std::inner_product(d.begin(), d.end(), cuts.q(i).begin(), 0.0));
  }
  return top;
}

/// The lowest value of the cuts on a grid of the simplex of three weights below a bound.
double lowest_on_grid(const Bundle& cuts, double bound) {
  constexpr int kParts = 400;
  double lowest = kInfinity;
  for (int i = 0; i <= kParts; ++i) {
    for (int j = 0; i + j <= kParts; ++j) {
      const Vector d = {i / double{kParts}, j / double{kParts}, (kParts - i - j) / double{kParts}};
      if (*std::ranges::max_element(d) > bound + 1e-12) continue;
      lowest = std::min(lowest, highest_cut(cuts, d));
    }
  }
  return lowest;
}

// Primal value, dual bound and a grid agree, after every added cut and also below a bound.
TEST(CutProgram, FindsTheLowestPointOfTheCuts) {
  std::mt19937 engine(8);
  for (const double bound : {kInfinity, 0.5}) {
    for (int trial = 0; trial < 4; ++trial) {
      CutProgram program(3, bound);
      for (int k = 0; k < 6; ++k) {
        program.add(random_cut(engine, 3));
        const CutMinimum minimum = program.solve();
        expect_on_simplex(minimum.d, std::min(bound, 1.0));
        const double value = highest_cut(program.cuts(), minimum.d);
        const double grid = lowest_on_grid(program.cuts(), bound);
        EXPECT_LE(value, grid + 1e-9);
        EXPECT_GE(value, grid - 3.0 / 400.0);
        // Multipliers prove the value: weak duality with equality.
        Vector sorted = minimum.q;
        std::ranges::sort(sorted, std::greater<>());
        const double most = bound == kInfinity ? sorted[0] : 0.5 * (sorted[0] + sorted[1]);
        EXPECT_NEAR(minimum.gain - 0.5 * most, value, 1e-8);
      }
    }
  }
}

TEST(CutProgram, DropsOnlyCutsThatDoNotMatter) {
  std::mt19937 engine(9);
  CutProgram program(6, kInfinity);
  double before = -kInfinity;
  for (int k = 0; k < 700; ++k) {
    program.add(random_cut(engine, 6));
    const CutMinimum minimum = program.solve();
    EXPECT_LE(program.cuts().size(), 210u);
    EXPECT_EQ(minimum.multipliers.size(), program.cuts().size());
    const double bound = minimum.lower_bound(L1{});
    EXPECT_NEAR(bound, highest_cut(program.cuts(), minimum.d), 1e-8);
    EXPECT_GE(bound, before - 1e-8) << "the bound never falls";
    before = bound;
  }
}

// Cuts from inexact SVMs are below J at any weights; J by SVMs that know nothing of cuts.
TEST(CutProgram, CutsOfInexactSvmsAreLowerBounds) {
  const OwnedProblem owned = random_problem(18, 40, 3, 10.0);
  const Problem problem = owned.with(L1{});
  SolverOptions options;
  options.tolerance = 0.5;  // loose on purpose
  const Context context;
  kernmix::Objective run("silp", problem, options, context);
  CutProgram program(run.kernels(), kInfinity);
  std::mt19937 engine(4);
  std::exponential_distribution<double> exponential;
  const auto random_weights = [&] {
    Vector d(static_cast<std::size_t>(run.kernels()));
    for (double& weight : d) weight = exponential(engine);
    const double sum = std::accumulate(d.begin(), d.end(), 0.0);
    for (double& weight : d) weight /= sum;
    return d;
  };
  double loosest = 0.0;
  for (int k = 0; k < 8; ++k) {
    const Point point = run.evaluate(random_weights(), "random");
    loosest = std::max(loosest, point.inner_gap / point.upper);
    program.add(point);
  }
  EXPECT_GT(loosest, 1e-4) << "the SVMs were meant to be inexact";
  for (int k = 0; k < 20; ++k) {
    const Vector d = random_weights();
    const double J = value_at(owned, d);
    EXPECT_LE(highest_cut(program.cuts(), d), J * (1.0 + 1e-9));
  }
}

TEST(Silp, TakesTrivialBanks) {
  expect_trivial_banks_solved("silp");
  expect_zero_kernels_harmless("silp");
}

TEST(Silp, EndsAtAnImpossibleTolerance) { expect_ends_at_impossible_tolerance("silp"); }

TEST(Silp, AnyNumberOfThreads) { expect_same_bits_for_any_threads("silp"); }

TEST(Silp, RefusesOtherSetsOfWeights) {
  expect_refusal("silp", Lp{2.0},
                 "solver silp does not take regularizer lp:p=2: it needs weights on the simplex "
                 "without a penalty; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
