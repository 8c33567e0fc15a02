#pragma once
/// \file
/// Functions of first-order solvers: the gradient of J(d) = Phi(d) + max_a ..., and the test of
/// sufficient decrease.
///
///   grad J(d) = -q/2 + Phi'(d),   q_m = a' K_m a at the SVM's solution a

#include <algorithm>
#include <cmath>

#include "kernmix/regularizer.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// All slopes of Phi are bounded near zero weights: otherwise methods that move along the boundary
/// of D stall.
template <typename R>
concept HasBoundedSlopes = !requires {
  requires R::steep;
};

template <typename R>
[[nodiscard]] Vector gradient(const R& regularizer, const Point& point) {
  Vector slope(point.q.size());
  for (std::size_t m = 0; m < slope.size(); ++m) slope[m] = -0.5 * point.q[m];
  if constexpr (HasPenaltySlope<R>) regularizer.add_penalty_slope(point.d, slope);
  return slope;
}

/// g'(x - d).
[[nodiscard]] inline double change_along(ConstSpan g, ConstSpan x, ConstSpan d) {
  double sum = 0.0;
  for (std::size_t m = 0; m < g.size(); ++m) sum += g[m] * (x[m] - d[m]);
  return sum;
}

/// d + t direction.
[[nodiscard]] inline Vector moved(ConstSpan d, double t, ConstSpan direction) {
  Vector x(d.begin(), d.end());
  for (std::size_t m = 0; m < x.size(); ++m) x[m] += t * direction[m];
  return x;
}

[[nodiscard]] inline double largest_magnitude(ConstSpan x) {
  double top = 0.0;
  for (const double value : x) top = std::max(top, std::abs(value));
  return top;
}

/// P(d - t g).
template <HasProjection R>
[[nodiscard]] Vector projected_step(const R& regularizer, ConstSpan d, double t, ConstSpan g) {
  Vector x = moved(d, -t, g);
  regularizer.project(x);
  return x;
}

/// Armijo's test with upper values of J. Each is known up to the SVM's gap, which is the slack
/// (docs/reference/solvers/newton.md). \param slope g'(x - d) < 0
[[nodiscard]] inline bool falls_enough(const Point& next, double reference, double slope) {
  return next.upper <= reference + 1e-4 * slope + next.inner_gap;
}

/// After a search without descent: solves the SVM at the same weights to a smaller gap. Gives up if
/// this is no longer possible.
inline Point refine_inner_solution(Objective& run, const Point& point) {
  if (!run.tighten_inner_tolerance()) {
    run.give_up();
    return point;
  }
  return run.evaluate(point.d, "svm");
}

}  // namespace kernmix
