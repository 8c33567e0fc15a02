#pragma once
/// \file
/// Random problems for the inner solver, and what an optimum must satisfy, from the definitions.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernmix/svm/smo.hpp"
#include "loss/any.hpp"
#include "loss/bias_search.hpp"
#include "loss/classes/hinge.hpp"

namespace kernmix::test {

/// A BoxProblem that owns its parts, with the hinge loss that its gap belongs to.
struct Owned {
  std::vector<float> K;
  Vector y, C, lower, upper;

  [[nodiscard]] Index n() const { return length(y); }
  [[nodiscard]] BoxProblem view() const { return {n(), K, y, lower, upper, {}, {}}; }

  void set_weights(const Vector& weights) {
    C = weights;
    lower.resize(C.size());
    upper.resize(C.size());
    for (std::size_t i = 0; i < C.size(); ++i) {
      lower[i] = y[i] > 0.0 ? 0.0 : -C[i];
      upper[i] = y[i] > 0.0 ? C[i] : 0.0;
    }
  }
};

/// exp(-gamma |x - x'|^2) of two overlapping clouds in three dimensions.
inline Owned clouds(Index n, double C, std::uint64_t seed, double gamma = 0.5) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  Owned problem;
  Matrix x(n, 3);
  for (Index i = 0; i < n; ++i) {
    problem.y.push_back(i % 2 == 0 ? 1.0 : -1.0);
    for (double& value : x.row(i)) value = normal(random) + 0.5 * problem.y.back();
  }
  problem.K.resize(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      double square = 0.0;
      for (Index k = 0; k < 3; ++k) square += (x(i, k) - x(j, k)) * (x(i, k) - x(j, k));
      problem.K[static_cast<std::size_t>(i * n + j)] =
          static_cast<float>(std::exp(-gamma * square));
    }
  }
  problem.set_weights(Vector(problem.y.size(), C));
  return problem;
}

inline void product(const Owned& problem, ConstSpan a, MutableSpan z) {
  const Index n = problem.n();
  for (Index i = 0; i < n; ++i) {
    z[i] = 0.0;
    for (Index j = 0; j < n; ++j) z[i] += static_cast<double>(problem.K[i * n + j]) * a[j];
  }
}

inline double dual_objective(const Owned& problem, ConstSpan a) {
  Vector z(a.size());
  product(problem, a, z);
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += problem.y[i] * a[i] - 0.5 * a[i] * z[i];
  return sum;
}

/// min_b sum_i C_i [1 - y_i (z_i + b)]_+ by trying every breakpoint.
inline double least_loss(const Owned& problem, ConstSpan z) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < z.size(); ++k) {
    const double b = problem.y[k] - z[k];
    double loss = 0.0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      loss += problem.C[i] * std::max(0.0, 1.0 - problem.y[i] * (z[i] + b));
    }
    least = std::min(least, loss);
  }
  return least;
}

/// Primal minus dual, relative to the primal; independent of the library.
inline double relative_gap(const Owned& problem, ConstSpan a, ConstSpan z) {
  double square = 0.0;
  double gain = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    square += a[i] * z[i];
    gain += problem.y[i] * a[i];
  }
  const double primal = 0.5 * square + least_loss(problem, z);
  return primal > 0.0 ? (primal - gain + 0.5 * square) / primal : 0.0;
}

/// The same with the library's O(n log n) bias, for problems too large to try every breakpoint.
inline double fast_relative_gap(const Owned& problem, ConstSpan a, ConstSpan z) {
  const Hinge hinge;
  const double b = best_bias(hinge, problem.y, z, problem.C);
  double primal = 0.0;
  double gap = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    primal += 0.5 * a[i] * z[i] + hinge.value(problem.y[i], z[i] + b, problem.C[i]);
    gap += hinge.fenchel_young(problem.y[i], z[i] + b, a[i], problem.C[i]);
  }
  return primal > 0.0 ? gap / primal : 0.0;
}

struct Solved {
  Vector a, z;
  SmoResult result;
};

inline Solved solve(const Owned& problem, SmoOptions options, Vector start = {},
                    const Context& context = {}) {
  Solved run;
  run.a = start.empty() ? Vector(problem.y.size(), 0.0) : std::move(start);
  run.z.resize(problem.y.size());
  run.result = solve_smo(
      problem.view(), [&](ConstSpan a, MutableSpan z) { product(problem, a, z); },
      [&](ConstSpan a, ConstSpan z) { return fast_relative_gap(problem, a, z); }, options, run.a,
      run.z, context);
  return run;
}

inline Solved solve(const Owned& problem, double target) {
  SmoOptions options;
  options.gap_target = target;
  return solve(problem, options);
}

/// max { G_j : a_j > lower_j } - min { G_i : a_i < upper_i } for G = K a - y: at most 0 at an
/// optimum.
inline double violation(const Owned& problem, ConstSpan a) {
  Vector z(a.size());
  product(problem, a, z);
  double largest = -std::numeric_limits<double>::infinity();
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double gradient = z[i] - problem.y[i];
    if (a[i] > problem.lower[i]) largest = std::max(largest, gradient);
    if (a[i] < problem.upper[i]) least = std::min(least, gradient);
  }
  return largest - least;
}

inline double sum(ConstSpan a) {
  double total = 0.0;
  for (const double value : a) total += value;
  return total;
}

inline bool in_box(const Owned& problem, ConstSpan a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] < problem.lower[i] || a[i] > problem.upper[i]) return false;
  }
  return true;
}

}  // namespace kernmix::test
