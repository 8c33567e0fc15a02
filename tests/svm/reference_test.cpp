/// \file
/// Against a reference that tries every set of bounds: 3^n linear systems, no iteration.

#include <gtest/gtest.h>

#include "base/linear_algebra.hpp"
#include "problems.hpp"

namespace kernmix::test {
namespace {

/// The best feasible stationary point of 1/2 a'Ka - y'a over all ways to fix variables at bounds.
double reference_objective(const Owned& problem) {
  const Index n = problem.n();
  Index ways = 1;
  for (Index i = 0; i < n; ++i) ways *= 3;
  double best = 0.0;  // a = 0 is feasible
  for (Index way = 0; way < ways; ++way) {
    std::vector<Index> free;
    Eigen::VectorXd a = Eigen::VectorXd::Zero(n);
    Index digits = way;
    for (Index i = 0; i < n; ++i, digits /= 3) {
      if (digits % 3 == 2) free.push_back(i);
      if (digits % 3 == 1) a[i] = problem.y[i] * problem.C[i];
    }
    // Stationary on the free variables F: K_FF a_F + b = y_F - K_FB a_B, 1'a_F = -1'a_B.
    const Index m = length(free);
    Eigen::MatrixXd system = Eigen::MatrixXd::Zero(m + 1, m + 1);
    Eigen::VectorXd right(m + 1);
    for (Index r = 0; r < m; ++r) {
      right[r] = problem.y[free[r]];
      for (Index j = 0; j < n; ++j) {
        right[r] -= static_cast<double>(problem.K[free[r] * n + j]) * a[j];
      }
      for (Index c = 0; c < m; ++c) system(r, c) = problem.K[free[r] * n + free[c]];
      system(r, m) = system(m, r) = 1.0;
    }
    right[m] = -a.sum();
    if (m == 0 && right[m] != 0.0) continue;
    const Eigen::VectorXd solution = system.fullPivLu().solve(right);
    for (Index r = 0; r < m; ++r) a[free[r]] = solution[r];
    const ConstSpan point{a.data(), static_cast<std::size_t>(n)};
    if (!in_box(problem, point) || std::abs(a.sum()) > 1e-9) continue;
    best = std::max(best, dual_objective(problem, point));
  }
  return best;
}

TEST(SmoReference, EverySetOfBounds) {
  for (const Index n : {2, 3, 5, 7}) {
    for (const double C : {0.01, 0.3, 2.0, 50.0}) {
      const Owned problem = clouds(n, C, static_cast<std::uint64_t>(100 + n));
      const Solved run = solve(problem, 1e-9);
      const double reference = reference_objective(problem);
      EXPECT_TRUE(run.result.converged);
      EXPECT_NEAR(dual_objective(problem, run.a), reference, 1e-8 * reference)
          << "n = " << n << ", C = " << C;
    }
  }
}

}  // namespace
}  // namespace kernmix::test
