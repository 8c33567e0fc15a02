// Products of kernels: the gradient, the descent, stationarity, and what is refused.

#include "kernmix/solver/gmkl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernmix/error.hpp"
#include "random_problem.hpp"

namespace kernmix {
namespace {

using testing::RandomData;

ProductProblem product_problem(const RandomData& data, double C, double lambda) {
  return {data.X, Hinge{}, data.y, Vector(data.y.size(), C), Bias::free, lambda};
}

/// T(d) from one kernel, by the SVM of the convex solver.
double T(const RandomData& data, const ProductProblem& problem, const Vector& d) {
  std::vector<Matrix> one = {product_kernel(data.X, d)};
  const auto owned = testing::make_problem(std::move(one), data.y, problem.C.front());
  double penalty = 0.0;
  for (const double weight : d) penalty += problem.lambda * weight;
  return testing::solve_tightly(owned.with(Sum{})).certificate.primal + penalty;
}

TEST(Gmkl, ProductKernelIsTheProductOfGaussians) {
  const RandomData data(51, 8, 3);
  const Matrix K = product_kernel(data.X, Vector{0.5, 0.0, 2.0});
  for (Index i = 0; i < 8; ++i) {
    for (Index j = 0; j < 8; ++j) {
      const double first = std::exp(-0.5 * std::pow(data.X(i, 0) - data.X(j, 0), 2));
      const double third = std::exp(-2.0 * std::pow(data.X(i, 2) - data.X(j, 2), 2));
      EXPECT_NEAR(K(i, j), first * third, 1e-14);
    }
  }
}

TEST(Gmkl, EndsAtAStationaryPointAndNeverRises) {
  const RandomData data(52, 50, 4);
  const ProductProblem problem = product_problem(data, 10.0, 1.0);
  const ProductSolution solution = solve_product(problem, {}, {});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_LE(solution.stationarity, 1e-3);
  EXPECT_LE(solution.inner_gap, 1e-6 * solution.objective);
  for (std::size_t k = 1; k < solution.objectives.size(); ++k) {
    EXPECT_LE(solution.objectives[k], solution.objectives[k - 1]);
  }
  EXPECT_NEAR(solution.objective, T(data, problem, solution.d), 1e-6 * solution.objective);
}

// A minimum along every coordinate, measured by solving anew: no gradient formula is believed.
TEST(Gmkl, NoCoordinateStepLowersTheObjective) {
  const RandomData data(53, 50, 3);
  const ProductProblem problem = product_problem(data, 5.0, 0.5);
  ProductOptions options;
  options.tolerance = 1e-4;
  const ProductSolution solution = solve_product(problem, options, {});
  ASSERT_EQ(solution.status, Status::converged);
  const double best = T(data, problem, solution.d);
  for (std::size_t m = 0; m < solution.d.size(); ++m) {
    for (const double step : {-0.02, 0.02}) {
      Vector d = solution.d;
      d[m] = std::max(d[m] + step, 0.0);
      EXPECT_GE(T(data, problem, d), best * (1.0 - 1e-6)) << m << " " << step;
    }
  }
}

// Columns 0 and 1 carry the classes of RandomData, the others noise.
TEST(Gmkl, NoiseColumnsLoseTheirWeight) {
  const RandomData data(54, 120, 5);
  const ProductSolution solution = solve_product(product_problem(data, 1.0, 2.0), {}, {});
  EXPECT_GT(solution.d[0], solution.d[2] + solution.d[3] + solution.d[4]);
}

TEST(Gmkl, TakesOtherLosses) {
  const RandomData data(55, 40, 3);
  Vector y(data.y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    y[i] = std::sin(2.0 * data.X(static_cast<Index>(i), 0));
  const ProductProblem problem{data.X, Squared{}, y, Vector(y.size(), 10.0), Bias::free, 0.1};
  const ProductSolution solution = solve_product(problem, {}, {});
  EXPECT_EQ(solution.status, Status::converged);
  EXPECT_GT(solution.d[0], 10.0 * solution.d[1]);
}

TEST(Gmkl, Refusals) {
  const RandomData data(56, 10, 2);
  EXPECT_THROW(static_cast<void>(solve_product(product_problem(data, 1.0, 0.0), {}, {})),
               ParameterError);
  ProductOptions options;
  options.start = {0.0, 0.0};
  EXPECT_THROW(static_cast<void>(solve_product(product_problem(data, 1.0, 1.0), options, {})),
               ParameterError);
}

}  // namespace
}  // namespace kernmix
