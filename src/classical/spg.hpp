#pragma once
/// \file
/// Spectral projected gradient in the kernel weights.

#include <algorithm>

#include "classical/gradient.hpp"
#include "regularizer/concepts.hpp"
#include "weights/objective.hpp"
#include "weights/stagnation_check.hpp"

namespace kernmix {

/// Zhang and Hager's reference value of a non-monotone search: a weighted average of past values,
/// with eta in [0.1, 1] as the weight of the past.
class AverageReference {
 public:
  explicit AverageReference(double value) : value_(value) {}

  void add(double value) {
    const double count = eta_ * count_ + 1.0;
    value_ = (eta_ * count_ * value_ + value) / count;
    count_ = count;
  }
  /// Reduces the weight of the past if the last step decreased J much less than predicted.
  void adapt(double actual, double predicted) {
    if (actual < 0.1 * predicted) eta_ = std::max(eta_ - 0.025, 0.1);
    if (actual > 0.9 * predicted) eta_ = std::min(eta_ + 0.025, 1.0);
  }
  [[nodiscard]] double value() const { return value_; }

 private:
  double eta_ = 1.0;
  double count_ = 1.0;
  double value_;
};

/// The minimiser of the parabola through J, its slope and J at the trial; half the step if the
/// minimiser is not a reasonable fraction of it.
inline double shorter_step(double t, double slope, double rise) {
  const double part = -0.5 * t * slope / (rise - t * slope);
  return t * (part >= 0.1 && part <= 0.9 ? part : 0.5);
}

/// Barzilai and Borwein's first step s's / s'y, s the last move and y the change of the gradient.
inline double spectral_step(ConstSpan s, ConstSpan old_g, ConstSpan g) {
  double ss = 0.0;
  double sy = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    ss += s[m] * s[m];
    sy += s[m] * (g[m] - old_g[m]);
  }
  if (sy <= 0.0) return 1.0 / std::max(largest_magnitude(g), 1e-300);
  return std::clamp(ss / sy, 1e-10, 1e10);
}

/// Searches on the segment from point.d along `direction`, t <= 1. Returns false and leaves `point`
/// unchanged if no value is below the reference.
inline bool search_segment(Objective& run, Point& point, AverageReference& reference,
                           ConstSpan direction, double slope, double alpha) {
  constexpr int kTrials = 20;
  double t = 1.0;
  for (int trial = 0; trial < kTrials && !run.finished(); ++trial) {
    Point next = run.evaluate(moved(point.d, t, direction), "spg");
    if (trial == 0) {
      double square = 0.0;
      for (const double move : direction) square += move * move;
      reference.adapt(point.upper - next.upper, -slope - 0.5 * square / alpha);
    }
    if (falls_enough(next, reference.value(), t * slope)) {
      point = std::move(next);
      reference.add(point.upper);
      return true;
    }
    t = shorter_step(t, slope, next.upper - point.upper);
  }
  return false;
}

/// SPG-GMKL (Jain, Vishwanathan and Varma, KDD 2012, algorithm 1; Birgin, Martinez and Raydan
/// 2000):
///
///   x = P(d - alpha g),   d <- d + t (x - d),   alpha = s's / s'y from the last step,
///
/// t <= 1 by a non-monotone line search. The first alpha is 1 / max |g|.
template <HasProjection R>
void spg(const R& regularizer, Objective& run) {
  StagnationCheck patience;
  Point point = run.evaluate(regularizer.initial_weights(run.kernels()), "start");
  Vector g = gradient(regularizer, point);
  double alpha = 1.0 / std::max(largest_magnitude(g), 1e-300);
  AverageReference reference(point.upper);
  while (!run.finished()) {
    Vector direction = projected_step(regularizer, point.d, alpha, g);
    for (std::size_t m = 0; m < direction.size(); ++m) direction[m] -= point.d[m];
    const double slope = change_along(direction, g, Vector(g.size(), 0.0));
    const Vector before = point.d;
    if (slope < 0.0 && search_segment(run, point, reference, direction, slope, alpha)) {
      const Vector next_g = gradient(regularizer, point);
      alpha = spectral_step(moved(point.d, -1.0, before), g, next_g);
      g = next_g;
    } else if (!run.finished()) {
      point = refine_inner_solution(run, point);
      g = gradient(regularizer, point);
      alpha = 1.0 / std::max(largest_magnitude(g), 1e-300);
      reference = AverageReference(point.upper);
    }
    patience.after_step(run);
  }
}

struct Spg {
  static constexpr const char* name = "spg";
  static constexpr const char* needs = "a projection onto the weights";
  template <typename R>
  static constexpr bool takes = HasProjection<R>;
  template <typename R>
  static void run(const R& regularizer, Objective& run) {
    spg(regularizer, run);
  }
};

}  // namespace kernmix
