#pragma once
/// \file
/// What to do about a run whose bounds have stopped moving, that is for so many steps in a row
/// without
///
///   lowest primal - highest dual < 0.99 * (the same when it last fell that much)

#include <limits>

#include "weights/objective.hpp"

namespace kernmix {

/// Asks for SVMs solved to a smaller gap, which is what holds the bounds apart most often, and
/// gives up where they are as exact as they can be.
class StagnationCheck {
 public:
  explicit StagnationCheck(int steps = 25) : steps_(steps) {}

  /// To be called once a step.
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
