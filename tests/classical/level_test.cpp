#include <limits>
#include <random>

#include "regularizer/any.hpp"
#include "weights/cuts/level_projection.hpp"
#include "weights/solver_checks.hpp"

namespace kernmix {
namespace {

using namespace testing;

TEST(Level, ReachesItsGapForEveryC) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(11, 40, 4, C);
    for (const double tolerance : {1e-2, 1e-3, 1e-6}) {
      const Answer solution = expect_solved(owned.with(L1{}), "level", tolerance);
      expect_on_simplex(solution.d);
    }
  }
}

TEST(Level, TakesWeightsInABall) {
  for (const double C : kEveryC) {
    const OwnedProblem owned = random_problem(12, 40, 4, C);
    for (const char* text :
         {"sgmkl:v=0.2", "sgmkl:v=0.8", "sgmkl-norm:v=0.5", "elastic-net-bach:lambda=0.5"}) {
      for (const double tolerance : {1e-2, 1e-4}) {
        (void)expect_solved(owned.with(parse_regularizer(text)), "level", tolerance);
      }
    }
  }
}

/// Projection onto {sum x = 1, 0 <= x <= bound} by bisection on the shift.
Vector project_on_simplex(Vector x, double bound) {
  double low = -10.0;
  double high = 10.0;
  for (int k = 0; k < 60; ++k) {  // to the last bit
    const double tau = 0.5 * (low + high);
    double sum = 0.0;
    for (const double value : x) sum += std::clamp(value - tau, 0.0, bound);
    (sum > 1.0 ? low : high) = tau;
  }
  for (double& value : x) value = std::clamp(value - high, 0.0, bound);
  return x;
}

/// Dykstra's alternating projections: slow, and nothing in common with an interior point method.
Vector by_dykstra(const Bundle& cuts, double level, Vector x, double bound) {
  std::vector<Vector> corrections(cuts.size() + 1, Vector(x.size(), 0.0));
  Vector y(x);
  Vector next(x);
  for (int round = 0; round < 20000; ++round) {
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      for (std::size_t m = 0; m < y.size(); ++m) y[m] = x[m] + corrections[i][m];
      next = y;
      if (i == cuts.size()) {
        next = project_on_simplex(std::move(next), bound);
      } else {
        const Vector& q = cuts.q(i);
        const double square = std::inner_product(q.begin(), q.end(), q.begin(), 0.0);
        const double excess =
            cuts.gain(i) - 0.5 * std::inner_product(q.begin(), q.end(), y.begin(), 0.0) - level;
        if (excess > 0.0) {
          for (std::size_t m = 0; m < y.size(); ++m) next[m] += 2.0 * excess / square * q[m];
        }
      }
      for (std::size_t m = 0; m < y.size(); ++m) corrections[i][m] = y[m] - next[m];
      x.swap(next);
    }
  }
  return x;
}

struct RandomCuts {
  Bundle cuts{1000};
  Vector centre;
  double value_at_centre = -kInfinity;
  double value_at_other = -kInfinity;  ///< at the minimiser of a random linear function

  RandomCuts(unsigned seed, std::size_t M, int count, double bound) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    centre.resize(M);
    Vector other(M);
    for (std::size_t m = 0; m < M; ++m) {
      centre[m] = uniform(engine);
      other[m] = uniform(engine);
    }
    centre = project_on_simplex(centre, bound);
    other = project_on_simplex(other, bound);
    for (int k = 0; k < count; ++k) {
      Point point;
      point.q.resize(M);
      for (double& value : point.q) value = 3.0 * uniform(engine);
      // Cuts are nearly parallel where the method ends.
      if (k % 2 == 1) {
        for (std::size_t m = 0; m < M; ++m) point.q[m] = cuts.q(0)[m] + 0.01 * point.q[m];
      }
      point.gain = 1.0 + 0.2 * uniform(engine);
      point.a = {0.0};
      cuts.add(point);
    }
    value_at_centre = highest(centre);
    value_at_other = highest(other);
  }

  [[nodiscard]] double highest(const Vector& x) const {
    double top = -kInfinity;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      top = std::max(
          top, cuts.gain(i) - 0.5 * std::inner_product(x.begin(), x.end(), cuts.q(i).begin(), 0.0));
    }
    return top;
  }
};

TEST(LevelProjection, IsTheNearestPointOfTheLevelSet) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const std::size_t M = 3 + seed % 6;
    const double bound = seed % 3 == 0 ? 1.8 / static_cast<double>(M) : kInfinity;
    const RandomCuts random(seed, M, 1 + static_cast<int>(seed), std::min(bound, 1.0));
    // A level that some point of D attains.
    const double level = std::min(random.value_at_other, random.value_at_centre) + 1e-3;
    const Vector x = project_onto_level_set(random.cuts, level, random.centre, bound);
    expect_on_simplex(x, std::min(bound, 1.0));
    EXPECT_LE(random.highest(x), level + 1e-8);
    const Vector reference = by_dykstra(random.cuts, level, random.centre, std::min(bound, 1.0));
    for (std::size_t m = 0; m < M; ++m) EXPECT_NEAR(x[m], reference[m], 1e-5) << seed;
  }
}

// By multipliers of the cuts, for any D: it may stay above the level by a hundredth of the way
// down.
TEST(LevelProjection, IsTheNearestPointOfAnySet) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const std::size_t M = 3 + seed % 6;
    const RandomCuts random(seed, M, 1 + static_cast<int>(seed), 1.0);
    const double level = std::min(random.value_at_other, random.value_at_centre) + 1e-3;
    const auto onto_simplex = [](MutableSpan x) {
      std::ranges::copy(project_on_simplex(Vector(x.begin(), x.end()), 1.0), x.begin());
    };
    const Vector x = project_onto_level_set(random.cuts, level, random.centre, onto_simplex);
    const Vector exact = project_onto_level_set(random.cuts, level, random.centre, 1.0);
    expect_on_simplex(x, 1.0);
    const double above = std::max(random.value_at_centre - level, 0.0);
    EXPECT_LE(random.highest(x), level + 0.1 * above + 1e-8) << seed;
    double distance = 0.0;
    double nearest = 0.0;
    for (std::size_t m = 0; m < M; ++m) {
      distance += (x[m] - random.centre[m]) * (x[m] - random.centre[m]);
      nearest += (exact[m] - random.centre[m]) * (exact[m] - random.centre[m]);
    }
    EXPECT_LE(distance, nearest * 1.05 + 1e-8) << seed;
  }
}

TEST(LevelProjection, LeavesAPointThatIsLowEnough) {
  const RandomCuts random(20, 8, 5, 1.0);
  const Vector x =
      project_onto_level_set(random.cuts, random.value_at_centre + 0.1, random.centre, kInfinity);
  for (std::size_t m = 0; m < x.size(); ++m) EXPECT_NEAR(x[m], random.centre[m], 1e-7);
}

TEST(LevelProjection, ASetOfOnePoint) {
  const RandomCuts random(21, 4, 3, 1.0);
  const Vector x = project_onto_level_set(random.cuts, 100.0, random.centre, 0.25);
  for (const double weight : x) EXPECT_DOUBLE_EQ(weight, 0.25);
}

TEST(Level, TakesTrivialBanks) {
  expect_trivial_banks_solved("level");
  expect_zero_kernels_harmless("level");
}

TEST(Level, EndsAtAnImpossibleTolerance) { expect_ends_at_impossible_tolerance("level"); }

TEST(Level, AnyNumberOfThreads) { expect_same_bits_for_any_threads("level"); }

TEST(Level, RefusesOtherSetsOfWeights) {
  expect_refusal(
      "level", Lp{2.0},
      "solver level does not take regularizer lp:p=2: it needs sparse "
      "weights on the simplex or in a ball, without a penalty; solver auto chooses one that fits");
}

}  // namespace
}  // namespace kernmix
