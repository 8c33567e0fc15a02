#pragma once
/// \file
/// What every named outer solver must do, whatever its mathematics.

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "random_problem.hpp"
#include "regularizer/any.hpp"

namespace kernmix::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline const std::vector<double> kEveryC = {0.1, 1.0, 10.0, 100.0};

/// J(d): one SVM at fixed weights, to a relative gap of 1e-7.
[[nodiscard]] inline double value_at(const OwnedProblem& owned, const Vector& d) {
  return solve_tightly(owned.with(Fixed{d})).certificate.primal;
}

inline void expect_on_simplex(const Vector& d, double bound = 1.0) {
  for (const double weight : d) {
    EXPECT_GE(weight, 0.0);
    EXPECT_LE(weight, bound * (1.0 + 1e-12));
  }
  EXPECT_NEAR(std::accumulate(d.begin(), d.end(), 0.0), 1.0, 1e-9);
}

/// Weights in D: the projection does not move them.
inline void expect_in_set(const Regularizer& regularizer, const Vector& d) {
  visit(
      [&]<typename R>(const R& r) {
        if constexpr (HasProjection<R>) {
          Vector projected = d;
          r.project(projected);
          for (std::size_t m = 0; m < d.size(); ++m) EXPECT_NEAR(projected[m], d[m], 1e-9);
        }
      },
      regularizer);
}

/// Reaches the gap, certified anew from the answer alone; bounds are in order and enclose newton's.
inline Answer expect_solved(const Problem& problem, const std::string& solver, double tolerance,
                            Index most_iterations = 1000) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  options.max_iterations = most_iterations;
  const Answer solution = solve(problem, options, Context{});
  EXPECT_EQ(solution.status, Status::converged) << solver;
  EXPECT_EQ(solution.solver, solver);
  EXPECT_LE(solution.certificate.relative_gap(), tolerance) << solver;
  expect_in_set(problem.regularizer, solution.d);

  Certificate again = certify(problem, solution.d, solution.a, Context{}).certificate;
  if (!solution.witness.empty())
    again.raise_dual(certify_dual(problem, solution.witness, Context{}));
  EXPECT_NEAR(again.primal, solution.certificate.primal, 1e-9 * again.primal);
  EXPECT_NEAR(again.dual, solution.certificate.dual, 1e-9 * again.primal);

  const Certificate reference = solve_tightly(problem, "newton").certificate;
  EXPECT_LE(solution.certificate.dual, reference.primal * (1.0 + 1e-9));
  EXPECT_GE(solution.certificate.primal, reference.dual * (1.0 - 1e-9));
  for (std::size_t k = 0; k < solution.history.size(); ++k) {
    EXPECT_LE(solution.history[k].dual, reference.primal * (1.0 + 1e-9));
    EXPECT_GE(solution.history[k].primal, reference.dual * (1.0 - 1e-9));
    if (k == 0) continue;
    EXPECT_LE(solution.history[k].primal, solution.history[k - 1].primal);
    EXPECT_GE(solution.history[k].dual, solution.history[k - 1].dual);
  }
  return solution;
}

inline void expect_same_bits(const Problem& problem, const SolverOptions& options) {
  const Answer first = solve(problem, options, Context{});
  for (const int threads : {2, 5}) {
    Context several;
    several.threads = threads;
    const Answer other = solve(problem, options, several);
    EXPECT_EQ(first.d, other.d);
    EXPECT_EQ(first.a, other.a);
    EXPECT_EQ(first.witness, other.witness);
    EXPECT_EQ(first.certificate.gap, other.certificate.gap);
    EXPECT_EQ(first.history.size(), other.history.size());
  }
}

inline void expect_same_bits_for_any_threads(const std::string& solver) {
  const OwnedProblem owned = random_problem(4, 60, 5, 10.0);
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-2;
  options.max_iterations = 60;
  expect_same_bits(owned.with(L1{}), options);
}

/// An answer, with its certificate, even where there was no time for one.
inline void expect_an_answer_when_stopped_at_once(const Problem& problem,
                                                  const std::string& solver) {
  Context late;
  late.deadline = std::chrono::steady_clock::now();
  SolverOptions options;
  options.solver = solver;
  const Answer solution = solve(problem, options, late);
  EXPECT_EQ(solution.status, Status::time_limit);
  EXPECT_GE(solution.certificate.gap, 0.0);
}

/// The sentence with which the solver refuses the problem, or nothing.
[[nodiscard]] inline std::string refusal_of(const Problem& problem, const std::string& solver,
                                            const Context& context = {}) {
  SolverOptions options;
  options.solver = solver;
  try {
    static_cast<void>(solve(problem, options, context));
  } catch (const Error& refusal) {
    return refusal.what();
  }
  return "";
}

/// One kernel, and a bank where every kernel is the same: nothing to learn, and no division by it.
inline void expect_trivial_banks_solved(const std::string& solver, double tolerance = 1e-3) {
  const RandomData data(21, 40, 3);
  const Matrix K = data.gaussian(1.0, {0, 1, 2});
  const OwnedProblem one = make_problem({K}, data.y, 1.0);
  const OwnedProblem copies = make_problem({K, K, K}, data.y, 1.0);
  const Answer alone = expect_solved(one.with(L1{}), solver, tolerance);
  EXPECT_DOUBLE_EQ(alone.d[0], 1.0);
  expect_solved(copies.with(L1{}), solver, tolerance);
}

/// A kernel of zeros may have weight, but changes nothing.
inline void expect_zero_kernels_harmless(const std::string& solver, double tolerance = 1e-3) {
  const RandomData data(22, 40, 3);
  std::vector<Matrix> kernels = data.kernels();
  kernels.insert(kernels.begin(), Matrix(40, 40));
  const OwnedProblem owned = make_problem(std::move(kernels), data.y, 1.0);
  expect_solved(owned.with(L1{}), solver, tolerance);
}

/// Where nothing improves any more it must end, with an honest status.
inline void expect_ends_at_impossible_tolerance(const std::string& solver) {
  const OwnedProblem owned = random_problem(4, 30, 2, 1.0);
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-17;
  options.max_iterations = 20000;
  const Answer solution = solve(owned.with(L1{}), options, Context{});
  EXPECT_TRUE(solution.status == Status::stalled || solution.certificate.gap == 0.0) << solver;
  EXPECT_LT(solution.history.size(), 20000u) << solver;
}

inline void expect_refusal(const std::string& solver, const Regularizer& regularizer,
                           const std::string& sentence) {
  SolverOptions options;
  options.solver = solver;
  try {
    check_solver({Hinge{}, regularizer, Bias::free}, options);
    FAIL() << "accepted, expected: " << sentence;
  } catch (const ParameterError& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

}  // namespace kernmix::testing
