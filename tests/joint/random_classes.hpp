#pragma once
/// \file
/// Small random problems of several classes, for tests.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "kernmix/bank/build.hpp"
#include "kernmix/solve.hpp"
#include "random_problem.hpp"

namespace kernmix::testing {

/// Classes together with the bank that they borrow.
struct OwnedClasses {
  std::unique_ptr<KernelBank> bank;
  std::vector<Index> y;
  Index classes;
  Vector C;

  [[nodiscard]] Problem with(const Regularizer& regularizer, Bias bias = Bias::free) const {
    return {*bank,
            of_all_classes(Loss()),
            with_default_groups(regularizer, bank->kernels()),
            Vector(y.begin(), y.end()),
            C,
            bias};
  }
};

/// Sectors of the plane of the first two columns, with noise; every class occurs.
[[nodiscard]] inline std::vector<Index> sectors(const RandomData& data, unsigned seed,
                                                Index classes) {
  std::mt19937 engine(seed + 2000);
  std::normal_distribution<double> normal;
  std::vector<Index> y;
  for (Index i = 0; i < data.X.rows; ++i) {
    const double angle =
        std::atan2(data.X(i, 1) + 0.3 * normal(engine), data.X(i, 0) + 0.3 * normal(engine));
    const double share = (angle + M_PI) / (2.0 * M_PI);
    y.push_back(std::min(classes - 1, static_cast<Index>(share * static_cast<double>(classes))));
  }
  for (Index u = 0; u < classes; ++u) y[static_cast<std::size_t>(u)] = u;
  return y;
}

[[nodiscard]] inline OwnedClasses random_classes(unsigned seed, Index classes, Index n,
                                                 Index columns, double C) {
  const RandomData data(seed, n, columns);
  OwnedClasses owned{dense_bank(data.kernels()), sectors(data, seed, classes), classes, {}};
  for (Index i = 0; i < n; ++i) owned.C.push_back(i % 3 == 0 ? 0.5 * C : C);
  return owned;
}

/// Solves, and checks status and bounds from the answer alone.
inline Answer expect_joint_solved(const Problem& problem, double tolerance) {
  SolverOptions options;
  options.tolerance = tolerance;
  const Answer solution = solve(problem, options, Context{});
  EXPECT_EQ(solution.status, Status::converged);
  Certificate again = certify(problem, solution.d, solution.a, {}).certificate;
  if (!solution.witness.empty()) again.raise_dual(certify_dual(problem, solution.witness, {}));
  EXPECT_LE(again.relative_gap(), tolerance);
  EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-9 * std::abs(again.primal));
  EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-9 * std::abs(again.primal));
  for (std::size_t k = 1; k < solution.history.size(); ++k) {
    EXPECT_LE(solution.history[k].primal, solution.history[k - 1].primal);
    EXPECT_GE(solution.history[k].dual, solution.history[k - 1].dual);
  }
  return solution;
}

/// Both pairs of bounds hold the same number.
inline void expect_bounds_overlap(const Bounds& left, const Bounds& right) {
  const double rounding = 1e-9 * std::abs(left.primal);
  EXPECT_LE(left.dual, right.primal + rounding);
  EXPECT_LE(right.dual, left.primal + rounding);
}

}  // namespace kernmix::testing
