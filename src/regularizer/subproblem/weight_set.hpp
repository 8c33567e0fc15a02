#pragma once
/// \file
/// The quadratic model of J plus Phi, minimised over a set D with bounds and one constraint.

#include <functional>
#include <limits>

#include "base/linear_algebra.hpp"
#include "regularizer/weight_model.hpp"

namespace kernmix {

/// A convex function at a point, with the Hessian diag(curvature) + factor * direction direction'.
struct Jet {
  double value = 0.0;
  Eigen::ArrayXd slope;
  Eigen::ArrayXd curvature;
  double factor = 0.0;       ///< may be negative, for example for a norm
  Eigen::ArrayXd direction;  ///< empty if factor is 0, for a separable function
};
using ConvexFunction = std::function<Jet(const Eigen::ArrayXd& x)>;

/// D and Phi in the form for an interior point method. At most one of the two functions may have a
/// direction.
struct WeightSet {
  ConvexFunction penalty;     ///< Phi; empty if it is 0
  ConvexFunction constraint;  ///< c(x) <= 1, increasing with c(0) = 0; empty without constraint
  double upper = std::numeric_limits<double>::infinity();  ///< x <= upper
  bool tight = false;                                      ///< c(x) = 1 instead, for a linear c
  bool sparse = true;  ///< vanishing entries are returned as exact zeros
  double trust = 0.0;  ///< if > 0: x <= trust * max(d), for an unbounded D
};

/// Primal-dual interior point method for
///
///   min_x  -1/2 q'x + 1/2 |B'(x - d)|^2 + Phi(x)   s.t.  0 <= x <= u,  c(x) <= 1 (or = 1),
///
/// to a relative accuracy of about 1e-9 in some twenty factorisations of size min(W, |F|). Entries
/// at `upper` are exactly there. The result is in D and never worse than d; it is d if no descent
/// is found.
[[nodiscard]] Vector minimize_on(const WeightModel& model, const WeightSet& set);

/// Phi(d), and its gradient added to `slope`.
[[nodiscard]] double penalty_on(const WeightSet& set, ConstSpan d);
void add_slope_on(const WeightSet& set, ConstSpan d, MutableSpan slope);

/// The jet of sum_m factor x_m, which serves as constraint of the simplex and as linear penalty.
[[nodiscard]] ConvexFunction linear_function(double factor);

}  // namespace kernmix
