#pragma once
/// \file
/// Frank-Wolfe with away steps on the simplex, sum d = 1, 0 <= d <= u.

#include <functional>

#include "classical/gradient.hpp"
#include "weights/objective.hpp"

namespace kernmix {

/// Lacoste-Julien and Jaggi, NIPS 2015, algorithm 1: with g = grad J(d) and the weights as a convex
/// combination of vertices, d = sum_v alpha_v v,
///
///   s = argmin_{v in D} g'v,   v = argmax_{v active} g'v,
///   d <- d + t (s - d) or d <- d + t (d - v), whichever decreases faster; t <= alpha_v / (1 -
///   alpha_v)
///
/// It converges linearly on a polyhedron if J is strongly convex. The step length minimises a
/// quadratic bound of J whose curvature is found by backtracking (Pedregosa, Negiar, Askari and
/// Jaggi, AISTATS 2020), because each trial requires an SVM.
/// \param gradient  grad J at a point
void frank_wolfe(double upper_bound, Objective& J, Vector start,
                 const std::function<Vector(const Point&)>& gradient);

struct FrankWolfe {
  static constexpr const char* name = "frank-wolfe";
  static constexpr const char* needs = "weights on the simplex and bounded slopes";
  template <typename R>
  static constexpr bool takes = OnSimplex<R>&& HasBoundedSlopes<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& J) {
    frank_wolfe(regularizer.upper_bound(J.kernels()), J, regularizer.initial_weights(J.kernels()),
                [&](const Point& point) { return gradient(regularizer, point); });
  }
};

}  // namespace kernmix
