/// \file
/// What is planned for solving, from what is known of kernels that are kept as factors.

#include "weights/memory.hpp"

#include <gtest/gtest.h>

#include "bank/family/family_sketch.hpp"
#include "kernmix/bank/plan.hpp"
#include "kernmix/bounded_certificate.hpp"
#include "loss/any.hpp"
#include "regularizer/any.hpp"
#include "weights/curvature.hpp"
#include "weights/strategies/interior_point.hpp"
#include "weights/weight_rules.hpp"

namespace kernmix {
namespace {

constexpr Index kMembers = 5;
constexpr Index kRank = 40;

/// Families of five kernels of rank 40 that share a basis of as many columns.
MemoryPlan plan_of_families(Index count) {
  FamilySketches sketches;
  MemoryPlan plan;
  for (Index f = 0; f < count; ++f) {
    FamilySketch family;
    family.rank = kRank;
    for (Index k = 0; k < kMembers; ++k) {
      family.kernels.push_back(length(plan.kernels));
      family.core_ranks.push_back(kRank);
      plan.kernels.push_back({StorageKind::factor, kRank, 0});
    }
    sketches.families.push_back(std::move(family));
  }
  plan.families = std::make_shared<const FamilySketches>(std::move(sketches));
  return plan;
}

Index most_in_model(const Regularizer& regularizer, Index M = 3000) {
  return WeightRules(regularizer).most_in_model(M);
}

std::size_t workspace(const Loss& loss, Index n, Index families) {
  return expected_solver_memory(loss, L1{}, n, plan_of_families(families), Context{}).workspace;
}

/// Kernels of a family have no more columns together than their basis: beyond so many samples that
/// are free the system stays as it is, and vectors grow.
TEST(SolverMemory, ExpectsFreeSamplesByColumnsOfAllKernelsTogether) {
  constexpr Index n = 10'000;
  const std::size_t grown = workspace(Hinge{}, 2 * n, 10) - workspace(Hinge{}, n, 10);
  EXPECT_LE(grown, static_cast<std::size_t>(128 * n) * sizeof(double));
  const std::size_t all = workspace(SquaredHinge{}, 2 * n, 10) - workspace(SquaredHinge{}, n, 10);
  EXPECT_GE(all, static_cast<std::size_t>(n * 10 * kRank) * sizeof(double));
}

/// Bounds of families hold the basis of one family in double precision; few entries need none.
TEST(CertificateMemory, CountsTheBasisOfAFamily) {
  constexpr Index many = 10'000;
  constexpr Index few = 100;
  const MemoryPlan plan = plan_of_families(4);
  const std::size_t basis = many * kRank * sizeof(double);
  EXPECT_GE(certificate_bytes(plan, many, 2, Context{}), basis);
  EXPECT_LE(certificate_bytes(plan, many, 2, Context{}), 3 * basis);
  const std::size_t vectors = few * sizeof(double);
  EXPECT_LE(certificate_bytes(plan, few, 2, Context{}), 2 * 60 * vectors);
}

/// The factor of K(d) stands in single precision beside what interior point steps keep.
TEST(SolverMemory, CountsTheFactorThatInteriorPointStepsCombine) {
  constexpr Index n = 400;
  const std::size_t matrices = static_cast<std::size_t>(n * n) * (sizeof(double) + sizeof(float));
  EXPECT_GE(workspace(Hinge{}, n, 5), matrices);
  const std::size_t longer = workspace(Hinge{}, n, 9) - workspace(Hinge{}, n, 5);
  EXPECT_GE(longer, static_cast<std::size_t>(n * 4 * kRank) * sizeof(float));
}

/// A matrix that SMO reads holds S_F in single precision; Newton's method makes its own.
TEST(SolverMemory, CountsTheSystemInThePrecisionOfTheInnerSolver) {
  constexpr Index n = 8000;
  const std::size_t all = n * n * sizeof(float);
  const std::size_t vectors = static_cast<std::size_t>(640 * n) * sizeof(double);
  EXPECT_GE(workspace(SquaredHinge{}, n, 50), all);
  EXPECT_LE(workspace(SquaredHinge{}, n, 50), all + vectors);
}

/// As the model of the time says: a factor of K(d), or the matrix in double precision.
TEST(SolverMemory, CountsWhatNewtonsMethodSolvesOn) {
  constexpr Index few = 5;
  const auto combined = [](Index n) {
    return expected_solver_memory(Squared{}, L1{}, n, plan_of_families(few), Context{}).combined;
  };
  EXPECT_EQ(combined(4000), std::size_t{4000 * few * kRank} * sizeof(double));
  EXPECT_EQ(combined(300), std::size_t{300 * 300} * sizeof(double));
}

/// Beside K(d), where it is a matrix; not of weights that do not change.
TEST(SolverMemory, CountsTrianglesOfFactorsThatComeAgain) {
  constexpr Index n = 300;
  const MemoryPlan plan = plan_of_families(2);
  const std::size_t triangles = 10 * (n * (n + 1) / 2) * sizeof(float);
  EXPECT_EQ(expected_solver_memory(Hinge{}, L1{}, n, plan, Context{}).triangles, triangles);
  EXPECT_EQ(expected_solver_memory(Hinge{}, Average{}, n, plan, Context{}).triangles, 0U);
}

/// Interior point steps and K(d) have the same ones.
TEST(SolverMemory, CountsTrianglesOnce) {
  constexpr Index n = 300;
  const MemoryPlan plan = plan_of_families(10);
  const std::size_t triangles = 50 * (n * (n + 1) / 2) * sizeof(float);
  const SolverMemory memory = expected_solver_memory(Hinge{}, L1{}, n, plan, Context{});
  EXPECT_GE(memory.workspace, triangles);
  EXPECT_LT(memory.triangles, triangles / 2);
}

/// K(d) is not made from triangles of kernels that have few columns to multiply.
TEST(SolverMemory, CountsNoTrianglesOfShortFactors) {
  constexpr Index n = 300;
  MemoryPlan plan = plan_of_families(2);
  for (MemoryPlan::Entry& entry : plan.kernels) entry.rank = 3;
  EXPECT_EQ(expected_solver_memory(Hinge{}, L1{}, n, plan, Context{}).triangles, 0U);
}

/// The solver asks the same: where the budget has no room for a matrix, and elsewhere by the time.
TEST(SolverMemory, CountsAFactorWhereTheSolverTakesOne) {
  constexpr Index n = 4000;
  const MemoryPlan plan = plan_of_families(25);
  Context tight;
  tight.memory_bytes = 5 * n * n;
  const SolverMemory by_time = expected_solver_memory(Hinge{}, L1{}, n, plan, Context{});
  const SolverMemory by_room = expected_solver_memory(Hinge{}, L1{}, n, plan, tight);
  EXPECT_FALSE(by_time.on_factor);
  EXPECT_EQ(by_time.combined, n * n * sizeof(float));
  EXPECT_TRUE(by_room.on_factor);
  EXPECT_EQ(by_room.combined, n * 25 * kRank * sizeof(double));
}

/// Their dual is smooth: no steps but those of Newton's method are taken.
TEST(SolverMemory, CountsNoInteriorPointStepsOfSmoothDuals) {
  constexpr Index n = 400;
  const std::size_t newton = workspace(Squared{}, n, 5);
  EXPECT_LT(newton, joint_steps_bytes(n, 25));
  EXPECT_GE(workspace(SquaredHinge{}, n, 5), joint_steps_bytes(n, 25));
}

/// Triangles that lie in the bank are read there.
TEST(SolverMemory, CountsNoTrianglesOfDenseKernels) {
  constexpr Index n = 400;
  constexpr Index M = 40;
  MemoryPlan plan = plan_of_families(0);
  plan.kernels.assign(M, {StorageKind::packed32, 0, 0});
  const auto bytes = [&] {
    return expected_solver_memory(Hinge{}, L1{}, n, plan, Context{}).workspace;
  };
  const std::size_t single = bytes();
  for (MemoryPlan::Entry& entry : plan.kernels) entry.kind = StorageKind::packed64;
  EXPECT_GE(bytes(), single + M * (n * (n + 1) / 2) * sizeof(float));
}

/// By the function that Newton's method asks: all kernels, where D has no corners to look for.
TEST(SolverMemory, CountsAllKernelsThatTheModelTakes) {
  EXPECT_EQ(most_in_model(Lp{2.0}), 3000);
  EXPECT_EQ(most_in_model(L1{}), 1000);
  EXPECT_EQ(most_in_model(L1{}, 10), 10);
  EXPECT_EQ(most_in_model(SoftMargin{1.0 / 1400.0}), 2800);
  constexpr Index n = 200;
  constexpr Index M = 3000;
  MemoryPlan plan = plan_of_families(0);
  plan.kernels.assign(M, {StorageKind::factor, 1, 0});
  FamilySketches sketches;
  for (Index m = 0; m < M; ++m) {
    FamilySketch& one = sketches.families.emplace_back();
    one.rank = 1;
    one.kernels = {m};
    one.core_ranks = {1};
  }
  plan.families = std::make_shared<const FamilySketches>(std::move(sketches));
  const auto planned = [&](const Regularizer& regularizer) {
    return expected_solver_memory(Logistic{}, regularizer, n, plan, {}).workspace;
  };
  // U and B of n samples that are free.
  const std::size_t each = 2 * n * sizeof(double);
  EXPECT_EQ(planned(Lp{2.0}) - planned(L1{}), 2000 * each);
  EXPECT_EQ(planned(ElasticNet{0.5, 0.5}), planned(Lp{2.0}));
  EXPECT_EQ(planned(SoftMargin{1.0 / 1400.0}) - planned(L1{}), 1800 * each);
  EXPECT_GE(planned(parse_regularizer("mixed-norm:q=4")), planned(Lp{2.0}));
  const TasksShape shape{.samples = n, .kernels = M, .tasks = 3, .rows = 3 * n};
  EXPECT_GT(expected_joint_memory(shape, Lp{2.0}).workspace,
            expected_joint_memory(shape, L1{}).workspace + 2000 * each);
}

TEST(SolverMemory, IsThatOfCombiningWhereWeightsAreFixed) {
  const MemoryPlan plan = plan_of_families(10);
  const SolverMemory memory = expected_solver_memory(Hinge{}, Average{}, 1000, plan, Context{});
  EXPECT_FALSE(memory.on_factor);
  EXPECT_EQ(memory.workspace, combination_bytes(plan, 1000, sizeof(float)));
}

}  // namespace
}  // namespace kernmix
