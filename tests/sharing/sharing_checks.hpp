#pragma once
/// \file
/// What every solver of tasks with shared weights must do, whatever its mathematics.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernmix/solve.hpp"
#include "random_tasks.hpp"

namespace kernmix::testing {

[[nodiscard]] inline Answer solve_shared_to(const Problem& problem, const std::string& solver,
                                            double tolerance, Index most_iterations = 2000) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = most_iterations;
  return solve(problem, options, Context{});
}

/// Bounds that are certified anew from the answer alone.
[[nodiscard]] inline Certificate certified_anew(const Problem& problem, const Answer& solution) {
  Certificate again = certify(problem, solution.d, solution.a, {}, solution.gamma).certificate;
  if (!solution.witness.empty()) {
    again.raise_dual(certify_dual(problem, solution.witness, {}, solution.gamma));
  }
  return again;
}

/// Reaches the gap, certified anew; the history's bounds are in order; every task is trained.
inline Answer expect_shared_solved(const Problem& problem, const std::string& solver,
                                   double tolerance, Index most_iterations = 2000) {
  const Answer solution = solve_shared_to(problem, solver, tolerance, most_iterations);
  EXPECT_EQ(solution.status, Status::converged) << solver;
  EXPECT_EQ(solution.solver, solver);
  const Certificate again = certified_anew(problem, solution);
  EXPECT_LE(again.relative_gap(), tolerance) << solver;
  EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-9 * std::abs(again.primal));
  EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-9 * std::abs(again.primal));
  for (std::size_t k = 0; k < problem.tasks.size(); ++k) {
    EXPECT_LE(again.task_gap[k], tolerance * std::abs(again.task_primal[k])) << "task " << k;
  }
  for (std::size_t k = 1; k < solution.history.size(); ++k) {
    EXPECT_LE(solution.history[k].primal, solution.history[k - 1].primal);
    EXPECT_GE(solution.history[k].dual, solution.history[k - 1].dual);
    EXPECT_GE(solution.history[k].svm_solves, solution.history[k - 1].svm_solves);
  }
  const double gamma = std::accumulate(solution.gamma.begin(), solution.gamma.end(), 0.0);
  const auto T = static_cast<double>(problem.tasks.size());
  EXPECT_NEAR(gamma, problem.coupling == Coupling::sum ? T : 1.0, 1e-9);
  return solution;
}

/// Two intervals that both hold the optimum.
inline void expect_same_optimum(const Bounds& left, const Bounds& right) {
  const double slack = 1e-9 * std::abs(left.primal);
  EXPECT_LE(left.dual, right.primal + slack);
  EXPECT_LE(right.dual, left.primal + slack);
}

}  // namespace kernmix::testing
