#pragma once
/// \file
/// The reaction to a run whose bounds stagnate. A run stagnates if this condition does not hold in
/// a given number of consecutive steps:
///
///   lowest primal - highest dual < 0.99 * (the same when it last fell that much)

#include <limits>

#include "weights/objective.hpp"

namespace kernmix {

/// Requests SVMs with a smaller inner gap, because that gap is the most common reason for
/// stagnation. If the SVMs are already at the limit of accuracy, the run ends.
class StagnationCheck {
 public:
  explicit StagnationCheck(int steps = 25) : steps_(steps) {}

  /// Must be called once per step.
  void after_step(Objective& run) {
    const double gap = run.best_primal() - run.best_dual();
    ++fruitless_;
    if (gap < 0.99 * gap_) {
      gap_ = gap;
      fruitless_ = 0;
    }
    if (fruitless_ < steps_) return;
    fruitless_ = 0;
    if (!run.tighten_inner_tolerance()) run.give_up();
  }

 private:
  int steps_;
  int fruitless_ = 0;
  double gap_ = std::numeric_limits<double>::infinity();
};

}  // namespace kernmix
