#include "classical/spg.hpp"

#include <random>

#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(Spg, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    for (const char* regularizer : {"l1", "lp:p=1.5", "lp:p=2"}) {
      expect_solved(owned.with(parse_regularizer(regularizer)), "spg", 1e-3);
    }
  }
}

// On a quadratic with Hessian H the spectral step lies between 1 / largest and 1 / smallest
// eigenvalue, and is 1 / h for H = h I.
TEST(Spg, SpectralStepIsAnInverseCurvature) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  const Vector h = {0.5, 2.0, 8.0};
  for (int trial = 0; trial < 50; ++trial) {
    const Vector s = {normal(engine), normal(engine), normal(engine)};
    const Vector zero(3, 0.0);
    const double step = spectral_step(s, zero, Vector{h[0] * s[0], h[1] * s[1], h[2] * s[2]});
    EXPECT_GE(step, 1.0 / 8.0 - 1e-12);
    EXPECT_LE(step, 1.0 / 0.5 + 1e-12);
    EXPECT_NEAR(spectral_step(s, zero, Vector{3.0 * s[0], 3.0 * s[1], 3.0 * s[2]}), 1.0 / 3.0,
                1e-12);
  }
  EXPECT_DOUBLE_EQ(spectral_step(h, Vector(3, 0.0), Vector{-1.0, -1.0, -4.0}), 0.25);
}

// phi(t) = slope t + c t^2: the parabola is phi itself, its minimiser -slope / (2 c).
TEST(Spg, ShorterStepIsTheMinimiserOfTheParabola) {
  const double slope = -2.0;
  for (const double c : {1.5, 2.0, 4.0}) {
    EXPECT_NEAR(shorter_step(1.0, slope, slope + c), -slope / (2.0 * c), 1e-12);
  }
  EXPECT_DOUBLE_EQ(shorter_step(1.0, slope, slope + 100.0), 0.5);
  EXPECT_DOUBLE_EQ(shorter_step(0.5, slope, -2.0), 0.25);
}

// The reference is an average of the values: above the last of a falling sequence, below the first.
TEST(Spg, ReferenceIsAnAverage) {
  AverageReference reference(10.0);
  for (const double value : {8.0, 7.0, 6.5, 6.0}) {
    reference.add(value);
    EXPECT_GT(reference.value(), value);
    EXPECT_LT(reference.value(), 10.0);
  }
  EXPECT_NEAR(reference.value(), (10.0 + 8.0 + 7.0 + 6.5 + 6.0) / 5.0, 1e-12);
  AverageReference monotone(10.0);
  for (int k = 0; k < 40; ++k) monotone.adapt(0.0, 1.0);
  for (int k = 0; k < 20; ++k) monotone.add(1.0);
  EXPECT_NEAR(monotone.value(), 1.0, 1e-9);
}

TEST(Spg, TakesTrivialBanks) {
  expect_trivial_banks_solved("spg");
  expect_zero_kernels_harmless("spg");
}

TEST(Spg, EndsAtAnImpossibleTolerance) { expect_ends_at_impossible_tolerance("spg"); }

TEST(Spg, AnyNumberOfThreads) { expect_same_bits_for_any_threads("spg"); }

}  // namespace
}  // namespace kernmix
