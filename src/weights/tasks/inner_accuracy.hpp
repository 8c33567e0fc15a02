#pragma once
/// \file
/// How far the inner problem is solved at one weight vector (docs/reference/solvers/newton.md):
/// until
///
///   inner gap <= share * outer gap.

#include <algorithm>
#include <cmath>
#include <limits>

#include "weights/objective.hpp"

namespace kernmix {

/// As in objective.cpp: inner gaps may be this part of the outer one, which falls by about the
/// other in a good step.
class InnerAccuracy {
 public:
  /// `point_here()` is the point as it stands, `solve(target)` lowers its inner gap to about
  /// `target`.
  template <typename PointHere, typename Solve>
  Point reach(const PointHere& point_here, const Solve& solve, double tolerance,
              const Context& context) {
    constexpr int kRefinements = 4;
    constexpr double kFirstShare = 0.5;
    Point point = point_here();
    double allowed = kShare * std::min(expected_outer_, kFirstShare * point.certificate.size());
    for (int k = 0; k < kRefinements && !context.should_stop(); ++k) {
      const double before = point.inner_gap;
      solve(allowed);
      point = point_here();
      allowed = kShare * wanted(point, point.certificate.outer_gap, tolerance);
      if (point.inner_gap <= 2.0 * allowed || (k > 0 && point.inner_gap >= before)) break;
      if (point.certificate.relative_gap() <= 0.5 * tolerance) break;
    }
    expected_outer_ = wanted(point, kDecrease * point.certificate.outer_gap, tolerance);
    return point;
  }

 private:
  static constexpr double kShare = 0.05;
  static constexpr double kDecrease = 0.2;

  /// At least half of the gap at which a run ends.
  [[nodiscard]] static double wanted(const Point& point, double outer_gap, double tolerance) {
    return std::max(outer_gap, 0.5 * tolerance * point.certificate.size());
  }

  double expected_outer_ = std::numeric_limits<double>::infinity();
};

}  // namespace kernmix
