#pragma once
/// \file
/// When a is optimal: with G = K a - linear, in every block
///
///   max { G_j +- kink_j : a_j may fall }  <=  min { G_i +- kink_i : a_i may rise },
///
/// the derivatives of the objective to either side; they differ where a_i = 0 is a kink.

#include <algorithm>
#include <array>
#include <limits>

#include "kernmix/svm/smo.hpp"

namespace kernmix::smo {

constexpr Index most_blocks = 2;

/// What one variable does to the objective: +infinity where it may not rise, -infinity where it
/// may not fall.
struct Derivatives {
  double rising;
  double falling;
};

/// Variable k of the problem at the value a, where K a - linear is `gradient`.
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
