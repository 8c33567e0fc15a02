/// \file
/// Steps that change the set of free samples: which samples their model takes for free, and that
/// they end sooner.

#include "weights/strategies/near_kinks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "weights/objective.hpp"

namespace kernmix::testing {
namespace {

/// A kernel for each column: the features exp(-k^2 / 8) (cos(k x / 2), sin(k x / 2)), k to 6.
StoredBank kernels_of_columns(const Matrix& X) {
  constexpr Index kWaves = 6;
  StoredBank bank(X.rows, X.cols);
  for (Index c = 0; c < X.cols; ++c) {
    Matrix Z(X.rows, 2 * kWaves);
    for (Index i = 0; i < X.rows; ++i) {
      for (Index k = 0; k < kWaves; ++k) {
        const auto wave = static_cast<double>(k + 1);
        Z(i, 2 * k) = std::exp(-wave * wave / 8.0) * std::cos(0.5 * wave * X(i, c));
        Z(i, 2 * k + 1) = std::exp(-wave * wave / 8.0) * std::sin(0.5 * wave * X(i, c));
      }
    }
    bank.keep(alone(c, Z), false);
  }
  return bank;
}

/// 60 columns of which two matter.
struct ManyColumns {
  RandomData data{7, 1000, 60};
  StoredBank bank = kernels_of_columns(data.X);
  Vector C = Vector(data.y.size(), 1.0);

  [[nodiscard]] Problem with(Bias bias) const { return {bank, Hinge{}, L1{}, data.y, C, bias}; }
};

DualSet set_of(const Problem& problem) {
  return dual_set(problem.loss, problem.bias, problem.y(), problem.C());
}

Point first_point(const Problem& problem) {
  const SolverOptions options;
  const Context context;
  kernmix::Objective run("newton", problem, options, context);
  return run.evaluate(L1{}.initial_weights(problem.kernels()), "start");
}

TEST(NearKinks, AreThoseBetweenWhichTheAveragedLossAddsAPartOfTheGap) {
  const ManyColumns columns;
  const Problem problem = columns.with(Bias::none);
  const Point point = first_point(problem);
  const FreeSet near = near_kinks(problem, set_of(problem), point, length(problem.y()));
  ASSERT_GT(near.samples.size(), point.free.size());
  ASSERT_TRUE(std::ranges::is_sorted(near.samples));
  EXPECT_TRUE(std::ranges::includes(near.samples, point.free));
  const double delta = near.softness[0];  // times C = 1, the width of each interval
  double added = 0.0;
  for (Index i = 0; i < length(problem.y()); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (std::ranges::binary_search(point.free, i)) continue;
    const double distance = std::abs(1.0 - problem.y()[at] * point.z[at]);
    EXPECT_EQ(distance < delta, std::ranges::binary_search(near.samples, i)) << distance;
    const double inside = std::max(delta - distance, 0.0);
    added += inside * inside / (4.0 * delta);
  }
  EXPECT_GT(added, 0.0);
  EXPECT_LE(added, 0.02 * point.certificate.outer_gap);
}

TEST(NearKinks, AreNoMoreThanThereIsRoomFor) {
  const ManyColumns columns;
  const Problem problem = columns.with(Bias::free);
  const Point point = first_point(problem);
  const Index most = 2 * length(point.free);
  const FreeSet near = near_kinks(problem, set_of(problem), point, most);
  EXPECT_GT(length(near.samples), length(point.free));
  EXPECT_LE(length(near.samples), most + 1);
}

/// A loss without kinks has none, and one that bounds no dual variable says no width.
TEST(NearKinks, AreOfBoundedDualVariables) {
  const ManyColumns columns;
  for (const Loss& loss : {Loss(Logistic{}), Loss(SquaredHinge{})}) {
    const Problem problem{columns.bank, loss, L1{}, columns.data.y, columns.C, Bias::free};
    const Point point = first_point(problem);
    EXPECT_TRUE(near_kinks(problem, set_of(problem), point, length(problem.y())).samples.empty());
  }
}

/// 10 SVMs; without them 17 or 18, the last of them of level steps.
TEST(NearKinks, SpareStepsOnColumnsOfNoise) {
  const ManyColumns columns;
  const Problem problem = columns.with(Bias::free);
  const Answer solution = solve(problem, {}, Context{});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_LE(solution.history.size(), 13u);
}

}  // namespace
}  // namespace kernmix::testing
