/// \file
/// Newton steps: what comes before the first, and near the end, where K(d) in single precision
/// hides how far J falls.

#include "weights/newton.hpp"

#include <gtest/gtest.h>

#include "bank/reference.hpp"
#include "kernmix/bank/build.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "weights/objective.hpp"

namespace kernmix {
namespace {

using testing::random_problem_for;

/// Steps were rejected that a falsely low value of J at the last point hid: the first of these
/// pairs took more than 100 SVM solves for two seeds, the second 34 and 30.
TEST(Newton, RejectsNoStepOnValuesInSinglePrecision) {
  struct Pair {
    const char* loss;
    const char* regularizer;
  };
  for (const auto& [loss, regularizer] : {Pair{"squared-hinge", "l1-unsquared:lambda=1"},
                                          Pair{"squared-epsilon:eps=0.1", "ckl:p=0.5,q=0.5"}}) {
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
      const auto owned = random_problem_for(parse_loss(loss), seed, 120, 5, 10.0);
      const Problem problem = owned.with(parse_regularizer(regularizer), parse_loss(loss));
      SolverOptions options;
      options.solver = "newton";
      options.tolerance = 1e-6;
      options.max_iterations = 25;
      EXPECT_EQ(solve(problem, options, Context{}).status, Status::converged)
          << loss << ", " << regularizer << ", seed " << seed;
    }
  }
}

/// To a loose gap SMO measures on K(d) in single precision, which costs one product to undo.
TEST(Newton, PointsBecomeExact) {
  const auto owned = random_problem_for(SquaredHinge{}, 2, 120, 5, 10.0);
  const Problem problem = owned.with(L1{}, SquaredHinge{});
  const SolverOptions options;
  const Context context;
  kernmix::Objective run("newton", problem, options, context);
  Point point = run.evaluate(L1{}.initial_weights(problem.kernels()), "start");
  ASSERT_FALSE(point.exact);
  const Point rounded = point;
  run.make_exact(point);
  EXPECT_TRUE(point.exact);
  const CertifiedPoint truth = certify(problem, point.d, {point.a}, context);
  const double primal = truth.certificate.primal;
  EXPECT_NEAR(point.certificate.primal, primal, 1e-14 * primal) << "q came with the products";
  EXPECT_DOUBLE_EQ(point.certificate.inner_gap, truth.certificate.inner_gap);
  EXPECT_DOUBLE_EQ(point.certificate.inner_gap, point.inner_gap);
  EXPECT_NE(point.upper, rounded.upper);
  EXPECT_NEAR(point.upper, rounded.upper, 1e-5 * rounded.upper);
  Point again = point;
  run.make_exact(again);
  EXPECT_EQ(again.upper, point.upper);
}

/// Nearly all samples at their bounds: the answer is a vertex, or close to one, to which Newton's
/// model leads at once. With free samples closed-form steps come first.
TEST(Newton, ClosedFormStepsComeWhereSamplesAreFree) {
  const auto first_step = [](double C) {
    testing::RandomData data(1, 120, 8);
    data.tell_apart(1, 0.5);
    const std::vector<Matrix> kernels = data.lines();  // kept as factors
    const auto bank =
        build_bank(test::sources_of(kernels), test::names_of(kernels), BankOptions{}, Context{});
    const Problem problem{*bank, Hinge{}, L1{}, data.y, Vector(data.y.size(), C)};
    SolverOptions options;
    options.solver = "newton";
    options.tolerance = 1e-6;
    const Answer solution = solve(problem, options, Context{});
    EXPECT_EQ(solution.status, Status::converged) << C;
    EXPECT_GT(solution.history.size(), 1u) << C;
    return solution.history.at(1).step;
  };
  EXPECT_EQ(first_step(1e-3), "newton");
  EXPECT_EQ(first_step(1.0), "closed-form");
}

}  // namespace
}  // namespace kernmix
