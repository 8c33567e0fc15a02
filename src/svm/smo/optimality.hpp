#pragma once
/// \file
/// The optimality condition: with G = K a - linear, in every block
///
///   max { G_j +- kink_j : a_j may decrease } <= min { G_i +- kink_i : a_i may increase },
///
/// the derivatives of the objective to either side; they differ at a kink a_i = 0.

#include <algorithm>
#include <array>
#include <limits>

#include "kernmix/svm/smo.hpp"

namespace kernmix::smo {

constexpr Index most_blocks = 2;

/// One-sided derivatives of the objective: +infinity if the variable may not increase, -infinity if
/// it may not decrease.
struct Derivatives {
  double rising;
  double falling;
};

/// The derivatives for variable k at the value a, with `gradient` = K a - linear.
[[nodiscard]] inline Derivatives derivatives(const BoxProblem& problem, Index k, double a,
                                             double gradient) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double kink = problem.kink.empty() ? 0.0 : problem.kink[k];
  return {a < problem.upper[k] ? gradient + (a >= 0.0 ? kink : -kink) : infinity,
          a > problem.lower[k] ? gradient + (a > 0.0 ? kink : -kink) : -infinity};
}

[[nodiscard]] inline Index block_of(const BoxProblem& problem, Index k) {
  return problem.block.empty() ? 0 : problem.block[k];
}

/// The two sides of the condition for one block.
struct Interval {
  double least_rising = std::numeric_limits<double>::infinity();
  double largest_falling = -std::numeric_limits<double>::infinity();

  void include(const Derivatives& variable) {
    least_rising = std::min(least_rising, variable.rising);
    largest_falling = std::max(largest_falling, variable.falling);
  }
  [[nodiscard]] double violation() const { return std::max(largest_falling - least_rising, 0.0); }
};

using Intervals = std::array<Interval, most_blocks>;

}  // namespace kernmix::smo
