// The solvers of mixed norms with q > 2 on the same problems.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

using testing::OwnedProblem;
using testing::random_problem;
using testing::RandomData;

constexpr double kMaximum = std::numeric_limits<double>::infinity();

struct SaddleCell {
  double q;
  Index groups;
  double C;
};

Regularizer saddle_of(const OwnedProblem& owned, const SaddleCell& cell) {
  std::vector<Index> group;
  for (Index m = 0; m < owned.bank->kernels(); ++m) group.push_back(m % cell.groups);
  return MixedNormSaddle{cell.q, group};
}

std::vector<SaddleCell> saddle_cells() {
  std::vector<SaddleCell> cells;
  for (const double q : {2.5, 4.0, kMaximum}) {
    for (const Index groups : {2, 3, 4}) {
      for (const double C : {0.1, 1.0, 10.0, 100.0}) cells.push_back({q, groups, C});
    }
  }
  return cells;
}

class EverySaddle : public ::testing::TestWithParam<SaddleCell> {};
INSTANTIATE_TEST_SUITE_P(MixedNorm, EverySaddle, ::testing::ValuesIn(saddle_cells()));

TEST_P(EverySaddle, NewtonReachesASmallGapInFewSteps) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    const OwnedProblem owned = random_problem(seed, 40, 4, GetParam().C);
    const Problem problem = owned.with(saddle_of(owned, GetParam()));
    SolverOptions options;
    options.tolerance = 1e-6;
    const Answer solution = solve(problem, options, Context{});
    EXPECT_EQ(solution.solver, "saddle-newton");
    EXPECT_EQ(solution.status, Status::converged);
    EXPECT_LE(solution.history.size(), 40u);
    const Certificate again = certify(problem, solution.d, solution.a, Context{}).certificate;
    EXPECT_LE(again.relative_gap(), 1.001e-6);
  }
}

TEST_P(EverySaddle, BaselinesBracketTheSameOptimum) {
  const OwnedProblem owned = random_problem(5, 40, 4, GetParam().C);
  const Problem problem = owned.with(saddle_of(owned, GetParam()));
  const Certificate best = testing::solve_tightly(problem).certificate;
  for (const char* solver : {"alternating", "mixed-norm-sound", "mixed-norm-printed"}) {
    SolverOptions options;
    options.solver = solver;
    options.tolerance = 1e-2;
    options.max_iterations = 1000;
    const Answer solution = solve(problem, options, Context{});
    EXPECT_EQ(solution.status, Status::converged) << solver;
    EXPECT_LE(best.dual, solution.certificate.primal * (1.0 + 1e-9)) << solver;
    EXPECT_GE(best.primal, solution.certificate.dual * (1.0 - 1e-9)) << solver;
  }
}

/// Columns of which some have two values, with a Gaussian, a linear and a cubic kernel on each:
/// kernels of low rank share groups with others.
OwnedProblem problem_with_lines(double C) {
  constexpr Index n = 80;
  constexpr Index columns = 12;
  RandomData data(1, n, columns);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < columns; c += 2) data.X(i, c) = data.X(i, c) > 0.5 ? 1.5 : -0.6;
  }
  std::vector<Matrix> kernels = data.lines();
  for (Index c = 0; c < columns; ++c) {
    kernels.push_back(data.gaussian(0.7, {c}));
    Matrix cubic = kernels[static_cast<std::size_t>(c)];
    for (double& value : cubic.values) value = std::pow(value + 1.0, 3.0) / 8.0;
    kernels.push_back(std::move(cubic));
  }
  return testing::make_problem(std::move(kernels), data.y, C);
}

/// Where Newton steps have no success, the alternation goes on: it is no worse by itself. With many
/// groups and q = inf, weights go to infinity at the optimum.
TEST(SaddleNewton, GoesOnWhereTheAlternationDoes) {
  for (const double q : {2.5, 4.0, kMaximum}) {
    for (const double C : {0.1, 1.0, 10.0, 100.0}) {
      for (const Index groups : {1, 3, 9}) {
        const OwnedProblem owned = problem_with_lines(C);
        const Problem problem = owned.with(saddle_of(owned, {q, groups, C}));
        for (const double tolerance : {1e-3, groups < 9 ? 1e-6 : 1e-3}) {
          SolverOptions options;
          options.tolerance = tolerance;
          options.max_iterations = 600;
          const Answer solution = solve(problem, options, Context{});
          EXPECT_EQ(solution.status, Status::converged)
              << "q = " << q << ", C = " << C << ", " << groups << " groups, to " << tolerance
              << ": " << solution.certificate.relative_gap() << " after "
              << solution.history.size();
        }
      }
    }
  }
}

TEST(SaddleNewton, TakesOtherLossesAndNoBias) {
  const OwnedProblem owned = random_problem(6, 40, 4, 1.0);
  const Regularizer regularizer = saddle_of(owned, {4.0, 3, 1.0});
  for (const auto& [loss, bias] :
       {std::pair{Loss{Squared{}}, Bias::free}, std::pair{Loss{Hinge{}}, Bias::none},
        std::pair{Loss{Hinge{}}, Bias::penalised}}) {
    const Answer solution = testing::solve_tightly(owned.with(regularizer, loss, bias));
    EXPECT_LE(solution.certificate.relative_gap(), 1e-6) << loss_text(loss);
  }
}

}  // namespace
}  // namespace kernmix
