#pragma once
/// \file
/// The inner problem on a given factor, and the gap of what is found by the definitions.

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "bank/stored_bank.hpp"
#include "factor_family.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"
#include "svm/newton/semismooth_newton.hpp"

namespace kernmix::testing {

inline Matrix random_factor(unsigned seed, Index n, Index r, double decay = 1.0) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  Matrix Z(n, r);
  for (Index i = 0; i < n; ++i) {
    double scale = 1.0;
    for (double& value : Z.row(i)) {
      value = scale * normal(engine);
      scale *= decay;
    }
  }
  return Z;
}

inline Matrix product(const Matrix& Z) {
  Matrix K(Z.rows, Z.rows);
  as_matrix(K).noalias() = as_matrix(Z) * as_matrix(Z).transpose();
  return K;
}

/// A problem whose only kernel is Z Z', kept as a factor.
struct FactorProblem {
  StoredBank bank;
  Problem problem;
  DualSet set;

  FactorProblem(const Matrix& Z, const Loss& loss, Bias rule, const Vector& y, const Vector& C)
      : bank(Z.rows, 1), problem{bank, loss, Sum{}, y, C, rule}, set(dual_set(loss, rule, y, C)) {
    bank.keep(alone(0, Z), false);
  }
};

struct FactorSolved {
  Vector a;
  Vector z;
  double gap;    ///< by the definitions, at K a
  double lower;  ///< the value of (D)
  double scale;
  Index iterations;
};

/// What the definitions say of a: feasible, z = K a, and its gap.
inline FactorSolved examined(const FactorProblem& owned, const Matrix& K, Vector a, Vector z,
                             Index iterations) {
  const Problem& problem = owned.problem;
  Vector sums(owned.set.totals.size(), 0.0);
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_GE(a[i], owned.set.lower[i]);
    EXPECT_LE(a[i], owned.set.upper[i]);
    if (!sums.empty()) sums[static_cast<std::size_t>(owned.set.block[i])] += a[i];
    size += std::abs(a[i]);
    double entry = 0.0;
    double entry_size = 0.0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double term = K(static_cast<Index>(i), static_cast<Index>(j)) * a[j];
      entry += term;
      entry_size += std::abs(term);
    }
    EXPECT_NEAR(z[i], entry, 1e-12 * (entry_size + 1e-10));
    z[i] = entry;
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    EXPECT_NEAR(sums[c], owned.set.totals[c], 1e-12 * (size + 1e-10));
  }
  FactorSolved run{a, z, 0.0, 0.0, 0.0, iterations};
  run.gap = loss_at(problem.loss, problem.bias, problem.y(), z, a, problem.C()).gap;
  run.lower = dual_gain(problem.loss, problem.bias, problem.y(), a, problem.C()) -
              0.5 * std::inner_product(a.begin(), a.end(), z.begin(), 0.0);
  run.scale = std::max(std::abs(run.lower), std::abs(run.lower + run.gap));
  return run;
}

inline FactorSolved solve_on_factor(const FactorProblem& owned, const Matrix& K, double tolerance,
                                    const Context& context = {}) {
  SemismoothNewton method(owned.problem, owned.set);
  method.combine(Vector{1.0}, context);
  const ExactProduct exact = [&](ConstSpan at, MutableSpan out) {
    std::ranges::copy(combined_product(owned.bank, Vector{1.0}, at, context), out.begin());
  };
  const Problem& problem = owned.problem;
  const InnerGap gap = [&](ConstSpan at, ConstSpan z) {
    return loss_at(problem.loss, problem.bias, problem.y(), z, at, problem.C()).gap;
  };
  Vector a(problem.y().size(), 0.0);
  make_feasible(owned.set, a);
  Vector z(a.size());
  double target = std::numeric_limits<double>::max();
  Index iterations = 0;
  FactorSolved run{};
  for (int k = 0; k < 6; ++k) {
    iterations += method.solve(exact, gap, target, a, z, context).iterations;
    run = examined(owned, K, a, z, iterations);
    target = tolerance * run.scale;
    if (run.gap <= target) break;
  }
  return run;
}

}  // namespace kernmix::testing
