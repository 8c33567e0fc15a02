/// \file
/// Problems at the edge: nothing to move, nothing to gain, flat or extreme.

#include <gtest/gtest.h>

#include "problems.hpp"

namespace kernmix::test {
namespace {

TEST(SmoDegenerate, BoundsThatMeetLeaveNothingToMove) {
  Owned problem = clouds(10, 1.0, 1);
  problem.lower.assign(10, 0.0);
  problem.upper.assign(10, 0.0);
  const Solved run = solve(problem, 1e-6);
  EXPECT_EQ(run.a, Vector(10, 0.0));
  EXPECT_EQ(run.result.iterations, 0);
  EXPECT_EQ(run.result.violation, 0.0);
}

TEST(SmoDegenerate, SomeBoundsMeet) {
  Owned problem = clouds(40, 1.0, 2);
  for (std::size_t i = 0; i < 20; ++i) problem.lower[i] = problem.upper[i] = 0.0;
  SmoOptions options;
  options.gap_target = 0.0;  // the hinge gap belongs to another problem: run to the floor
  const Solved run = solve(problem, options);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(run.a[i], 0.0);
  EXPECT_LE(violation(problem, run.a), 1e-10);
}

TEST(SmoDegenerate, OneSample) {
  const Solved run = solve(clouds(1, 1.0, 1), 1e-6);
  EXPECT_EQ(run.a, Vector{0.0});
  EXPECT_TRUE(run.result.converged);
}

TEST(SmoDegenerate, OneClassStaysAtZero) {
  Owned problem = clouds(20, 1.0, 1);
  problem.y.assign(20, -1.0);
  problem.set_weights(Vector(20, 1.0));
  const Solved run = solve(problem, 1e-6);
  EXPECT_EQ(run.a, Vector(20, 0.0));
  EXPECT_TRUE(run.result.converged);
  EXPECT_EQ(run.result.gap, 0.0);
}

TEST(SmoDegenerate, KernelOfZerosSendsTheSmallerClassToItsBound) {
  Owned problem = clouds(30, 2.0, 1);
  std::fill(problem.K.begin(), problem.K.end(), 0.0F);
  const Solved run = solve(problem, 1e-9);
  EXPECT_TRUE(run.result.converged);
  EXPECT_DOUBLE_EQ(dual_objective(problem, run.a), 60.0);
}

TEST(SmoDegenerate, DuplicatesShareTheirPart) {
  const Owned once = clouds(30, 1.0, 4);
  Owned twice;
  twice.K.resize(60 * 60);
  for (std::size_t i = 0; i < 60; ++i) {
    twice.y.push_back(once.y[i / 2]);
    for (std::size_t j = 0; j < 60; ++j) twice.K[i * 60 + j] = once.K[i / 2 * 30 + j / 2];
  }
  twice.set_weights(Vector(60, 0.5));
  const double objective = dual_objective(once, solve(once, 1e-9).a);
  const Solved run = solve(twice, 1e-9);
  EXPECT_TRUE(run.result.converged);
  EXPECT_NEAR(dual_objective(twice, run.a), objective, 1e-8 * objective);
}

TEST(SmoDegenerate, ContradictoryDuplicatesGoToTheBound) {
  Owned problem = clouds(20, 3.0, 4);
  for (std::size_t i = 0; i < 20; ++i) {
    for (std::size_t j = 0; j < 20; ++j) problem.K[i * 20 + j] = 1.0F;
  }
  const Solved run = solve(problem, 1e-9);
  EXPECT_TRUE(run.result.converged);
  EXPECT_NEAR(dual_objective(problem, run.a), 60.0, 1e-9);
}

TEST(SmoDegenerate, HugeC) {
  const Owned problem = clouds(120, 1e6, 6, 0.05);
  const Solved run = solve(problem, 1e-2);
  EXPECT_TRUE(run.result.converged);
  EXPECT_LE(relative_gap(problem, run.a, run.z), 1.01e-2);
}

TEST(SmoDegenerate, TinyC) {
  const Owned problem = clouds(121, 1e-8, 6);
  const Solved run = solve(problem, 1e-9);
  EXPECT_TRUE(run.result.converged);
  EXPECT_TRUE(in_box(problem, run.a));
}

TEST(SmoDegenerate, ScaledKernelsScaleTheAnswer) {
  const Owned problem = clouds(60, 1.0, 8);
  const double objective = dual_objective(problem, solve(problem, 1e-9).a);
  for (const float scale : {0x1p-60F, 0x1p40F}) {
    Owned scaled = problem;
    for (float& entry : scaled.K) entry *= scale;
    scaled.set_weights(Vector(60, 1.0 / static_cast<double>(scale)));
    const Solved run = solve(scaled, 1e-8);
    EXPECT_TRUE(run.result.converged) << scale;
    EXPECT_NEAR(dual_objective(scaled, run.a) * static_cast<double>(scale), objective,
                1e-7 * objective);
  }
}

}  // namespace
}  // namespace kernmix::test
