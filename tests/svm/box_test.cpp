/// \file
/// SMO on programs with kinks, two blocks and infinite bounds: optimality from the definitions, and
/// against a reference that tries every set of bounds, kinks and signs.

#include <gtest/gtest.h>

#include "base/linear_algebra.hpp"
#include "box_problems.hpp"

namespace kernmix::test {
namespace {

constexpr BoxKind kinds[] = {{true, false, false}, {false, true, false}, {false, false, true},
                             {true, true, false},  {true, false, true},  {true, true, true}};

SmoOptions tight() {
  SmoOptions options;
  options.gap_target = 1e-9;
  return options;
}

void expect_feasible(const OwnedBox& box, const Vector& a) {
  Vector sums(box.totals.size(), 0.0);
  double size = 0.0;
  for (Index k = 0; k < box.n(); ++k) {
    EXPECT_GE(a[k], box.lower[k]);
    EXPECT_LE(a[k], box.upper[k]);
    sums[box.block[k]] += a[k];
    size += std::abs(a[k]);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) EXPECT_NEAR(sums[c], box.totals[c], 1e-10 * size);
}

TEST(SmoBox, IsOptimalFromAnyStart) {
  for (const BoxKind& kind : kinds) {
    for (std::uint64_t seed = 1; seed <= 25; ++seed) {
      const OwnedBox box = random_box(static_cast<Index>(4 + 3 * seed), kind, seed);
      const Solved cold = solve_box(box, Vector(box.linear.size(), 0.0), tight());
      EXPECT_TRUE(cold.result.converged) << "seed " << seed;
      EXPECT_LE(box_violation(box, cold.a, cold.z), 1e-9);
      EXPECT_NEAR(cold.result.violation, box_violation(box, cold.a, cold.z), 1e-12);
      expect_feasible(box, cold.a);

      Vector far(box.linear.size());
      for (std::size_t k = 0; k < far.size(); ++k) far[k] = std::sin(static_cast<double>(5 * k));
      const Solved warm = solve_box(box, far, tight());
      EXPECT_TRUE(warm.result.converged) << "seed " << seed;
      expect_feasible(box, warm.a);
      const double objective = box_objective(box, cold.a);
      EXPECT_NEAR(box_objective(box, warm.a), objective, 1e-8 * (1.0 + std::abs(objective)));
      SmoOptions loose;
      loose.gap_target = 1e-8;
      EXPECT_EQ(solve_box(box, cold.a, loose).result.iterations, 0);
    }
  }
}

TEST(SmoBox, ShrinkingDoesNotChangeTheOptimum) {
  for (const BoxKind& kind : kinds) {
    const OwnedBox box = random_box(300, kind, 77);
    SmoOptions options = tight();
    const Solved shrunk = solve_box(box, Vector(300, 0.0), options);
    options.shrinking = false;
    const Solved whole = solve_box(box, Vector(300, 0.0), options);
    EXPECT_TRUE(shrunk.result.converged && whole.result.converged);
    const double objective = box_objective(box, whole.a);
    EXPECT_NEAR(box_objective(box, shrunk.a), objective, 1e-8 * (1.0 + std::abs(objective)));
  }
}

/// What one variable may be at a solution.
enum class State { at_lower, at_upper, at_kink, negative, positive };

/// The least objective over all feasible points that are stationary for some choice of states.
double reference_minimum(const OwnedBox& box) {
  const Index n = box.n();
  const Index blocks = length(box.totals);
  Index ways = 1;
  for (Index k = 0; k < n; ++k) ways *= 5;
  double best = std::numeric_limits<double>::infinity();
  for (Index way = 0; way < ways; ++way) {
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
    std::vector<Index> free;
    Vector sign(box.linear.size(), 0.0);
    Index digits = way;
    bool finite = true;
    for (Index k = 0; k < n; ++k, digits /= 5) {
      const State state{static_cast<int>(digits % 5)};
      if (state == State::at_lower) a[k] = box.lower[k];
      if (state == State::at_upper) a[k] = box.upper[k];
      finite = finite && std::isfinite(a[k]);
      if (state != State::negative && state != State::positive) continue;
      sign[k] = state == State::positive ? 1.0 : -1.0;
      free.push_back(k);
    }
    if (!finite) continue;
    // K_FF a_F + nu_{block} = linear_F - sign kink_F - K_FB a_B, and every sum held.
    const Index m = length(free);
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m + blocks, m + blocks);
    Eigen::VectorXd right(m + blocks);
    for (Index r = 0; r < m; ++r) {
      const Index i = free[r];
      right[r] = box.linear[i] - (box.kink.empty() ? 0.0 : sign[i] * box.kink[i]);
      for (Index j = 0; j < n; ++j) right[r] -= double{box.K[i * n + j]} * a[j];
      for (Index c = 0; c < m; ++c) system(r, c) = double{box.K[i * n + free[c]]};
      system(r, m + box.block[i]) = system(m + box.block[i], r) = 1.0;
    }
    for (Index c = 0; c < blocks; ++c) right[m + c] = box.totals[c];
    for (Index k = 0; k < n; ++k) right[m + box.block[k]] -= a[k];
    const Eigen::VectorXd solution = system.fullPivLu().solve(right);
    for (Index r = 0; r < m; ++r) a[free[r]] = solution[r];
    Vector sums(box.totals.size(), 0.0);
    bool feasible = true;
    for (Index k = 0; k < n; ++k) {
      feasible = feasible && a[k] >= box.lower[k] - 1e-12 && a[k] <= box.upper[k] + 1e-12;
      sums[box.block[k]] += a[k];
    }
    for (Index c = 0; c < blocks; ++c) {
      feasible = feasible && std::abs(sums[c] - box.totals[c]) < 1e-9;
    }
    if (!feasible) continue;
    best = std::min(best, box_objective(box, {a.data(), static_cast<std::size_t>(n)}));
  }
  return best;
}

TEST(SmoBox, EverySetOfBoundsKinksAndSigns) {
  for (const BoxKind& kind : kinds) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const OwnedBox box = random_box(5, kind, seed);
      const double reference = reference_minimum(box);
      const Solved run = solve_box(box, Vector(5, 0.0), tight());
      EXPECT_TRUE(run.result.converged);
      EXPECT_NEAR(box_objective(box, run.a), reference, 1e-8 * (1.0 + std::abs(reference)))
          << "seed " << seed;
    }
  }
}

/// A variable has to cross its kink: every one starts on the wrong side of 0.
TEST(SmoBox, VariablesCrossTheirKinks) {
  OwnedBox box = random_box(80, {true, false, false}, 3);
  for (Index k = 0; k < 80; ++k) {
    box.lower[k] = -1.0;
    box.upper[k] = 1.0;
    box.kink[k] = 0.01;
  }
  box.totals = {0.0};
  const Solved run = solve_box(box, Vector(80, 0.0), tight());
  Vector mirrored = run.a;
  for (double& value : mirrored) value = -value;
  const Solved again = solve_box(box, mirrored, tight());
  EXPECT_TRUE(again.result.converged);
  const double objective = box_objective(box, run.a);
  EXPECT_NEAR(box_objective(box, again.a), objective, 1e-9 * std::abs(objective));
}

TEST(SmoBox, BlocksOfOneVariableStayWhereTheyAre) {
  OwnedBox box = random_box(3, {false, true, false}, 5);
  box.lower = {-1.0, -1.0, -1.0};
  box.upper = {1.0, 1.0, 1.0};
  box.totals = {0.3, -0.4};  // the second variable is alone
  const Solved run = solve_box(box, Vector(3, 0.0), tight());
  EXPECT_TRUE(run.result.converged);
  EXPECT_NEAR(run.a[1], -0.4, 1e-15);
  EXPECT_NEAR(run.a[0] + run.a[2], 0.3, 1e-15);
}

TEST(SmoBox, GapReductionAsksForMoreThanTheTarget) {
  const OwnedBox box = random_box(100, {true, false, false}, 9);
  SmoOptions options;
  options.gap_target = 1e6;
  EXPECT_EQ(solve_box(box, Vector(100, 0.0), options).result.iterations, 0);
  const Vector start = box.feasible(Vector(100, 0.0));
  Vector z(100);
  box_product(box, start, z);
  options.gap_reduction = 0.01;
  const Solved run = solve_box(box, start, options);
  EXPECT_TRUE(run.result.converged);
  EXPECT_GT(run.result.iterations, 0);
  EXPECT_LE(run.result.gap, 0.01 * box_violation(box, start, z));
}

}  // namespace
}  // namespace kernmix::test
