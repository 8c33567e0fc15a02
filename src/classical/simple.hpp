#pragma once
/// \file
/// SimpleMKL: the reduced gradient on the simplex with golden section searches.

#include <algorithm>
#include <cmath>

#include "base/roots/golden_section.hpp"
#include "classical/gradient.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// The reduced gradient's direction on {0 <= d <= u, sum d = 1}: with the base mu = argmax d,
///
///   D_m = g_mu - g_m unless it leaves the bounds, D_mu = -sum_{m != mu} D_m.
class ReducedDirection {
 public:
  ReducedDirection(const Vector& g, const Vector& d, double bound);

  /// Zeros the entries whose weight has reached its bound, and balances the base again.
  void stay_inside(const Vector& d);
  /// The largest t for which d + t D is feasible; 0 if no move is possible.
  [[nodiscard]] double longest(const Vector& d) const;
  /// d + t D with exact zeros for weights that reached zero, and sum 1.
  [[nodiscard]] Vector step(const Vector& d, double t) const;

 private:
  double bound_;
  std::size_t base_;
  Vector direction_;
};

/// Golden section for the lowest value of J on [0, longest] until the bracket is `width` times as
/// long, with an SVM for each trial. Replaces `point` by the best; returns false if that is the
/// start.
inline bool golden_section(Objective& run, Point& point, const ReducedDirection& direction,
                           double longest, double width) {
  const Vector start = point.d;
  bool improved = false;
  const auto value_at = [&](double t) {
    Point trial = run.evaluate(direction.step(start, t), "golden-section");
    const double value = trial.upper;
    if (value < point.upper) {
      point = std::move(trial);
      improved = true;
    }
    return value;
  };
  golden_section_search(0.0, longest, value_at, [&](double bracket) {
    return bracket > width * longest && !run.finished();
  });
  return improved;
}

/// Moves along the direction to the bounds, removes entries that reached them, and continues while
/// J decreases; then searches the last segment. Returns false if J never decreased.
inline bool reduced_gradient_step(Objective& run, Point& point, ReducedDirection direction,
                                  double width) {
  bool improved = false;
  double longest = direction.longest(point.d);
  while (longest > 0.0 && !run.finished()) {
    Point next = run.evaluate(direction.step(point.d, longest), "descent");
    if (!(next.upper < point.upper)) {
      return golden_section(run, point, direction, longest, width) || improved;
    }
    point = std::move(next);
    improved = true;
    direction.stay_inside(point.d);
    longest = direction.longest(point.d);
  }
  return improved;
}

/// Rakotomamonjy, Bach, Canu and Grandvalet, JMLR 2008, algorithm 1:
///
///   min_{d in simplex} J(d) by d <- d + t D,   D the reduced gradient of J with base argmax d.
///
/// The golden section starts at a tenth of the segment; if no trial decreases J it becomes ten
/// times finer, down to 1e-8, and the SVM's gap ten times smaller.
template <OnSimplex R>
void simple_mkl(const R& regularizer, Objective& run) {
  constexpr double kCoarse = 0.1;
  constexpr double kFine = 1e-8;
  StagnationCheck patience;
  double width = kCoarse;
  Point point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  while (!run.finished()) {
    const ReducedDirection direction(gradient(regularizer, point), point.d,
                                     regularizer.upper_bound(run.kernels()));
    if (reduced_gradient_step(run, point, direction, width)) {
      width = kCoarse;
    } else if (!run.finished()) {
      width = std::max(0.1 * width, kFine);
      point = refine_inner_solution(run, point);
    }
    patience.after_step(run);
  }
}

struct SimpleMkl {
  static constexpr const char* name = "simple";
  static constexpr const char* needs = "weights on the simplex and bounded slopes";
  template <typename R>
  static constexpr bool takes = OnSimplex<R>&& HasBoundedSlopes<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    simple_mkl(regularizer, run);
  }
};

}  // namespace kernmix
