#pragma once
/// \file
/// Projected gradient descent in the kernel weights.

#include "classical/gradient.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// Armijo's rule along the projection arc: halves t until J(P(d - t g)) is low enough. Returns
/// false and leaves `point` unchanged after twenty halvings.
template <HasProjection R>
bool search_projection_arc(const R& regularizer, Objective& run, Point& point, double& t) {
  constexpr int kHalvings = 20;
  const Vector g = gradient(regularizer, point);
  for (int halving = 0; halving <= kHalvings && !run.finished(); ++halving, t *= 0.5) {
    Vector x = projected_step(regularizer, point.d, t, g);
    const double slope = change_along(g, x, point.d);
    if (!(slope < 0.0)) return false;
    Point next = run.evaluate(std::move(x), "projection");
    if (!falls_enough(next, point.upper, slope)) continue;
    point = std::move(next);
    if (halving == 0) t *= 2.0;
    return true;
  }
  return false;
}

/// Xu, Tsang and Xu, TNNLS 2013, algorithm 2 (for the squared hinge loss on kernels), on any D:
///
///   d <- P(d - t g),   g = grad J(d),   P the Euclidean projection onto D,
///
/// with the step t by backtracking from the last one, doubled if that one was accepted at once.
template <HasProjection R>
void projected_gradient(const R& regularizer, Objective& run) {
  StagnationCheck patience;
  Point point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  const Vector g = gradient(regularizer, point);
  const double size = largest_magnitude(g);
  double t = size > 0.0 ? largest_magnitude(point.d) / size : 1.0;
  while (!run.finished()) {
    const double before = t;
    if (!search_projection_arc(regularizer, run, point, t) && !run.finished()) {
      point = refine_inner_solution(run, point);
      t = before;
    }
    patience.after_step(run);
  }
}

struct ProjectedGradient {
  static constexpr const char* name = "projected-gradient";
  static constexpr const char* needs = "a projection onto the weights and bounded slopes";
  template <typename R>
  static constexpr bool takes = HasProjection<R>&& HasBoundedSlopes<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    projected_gradient(regularizer, run);
  }
};

}  // namespace kernmix
