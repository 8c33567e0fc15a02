#pragma once
/// \file
/// Bursts of cutting-plane steps, used when Newton's method stagnates.

#include <cmath>

#include "weights/strategies/strategy.hpp"

namespace kernmix {

/// Takes a few steps when Newton's method stagnates, and twice as many each time it stagnates
/// again.
class CuttingPlaneFallback : public Steps {
 public:
  explicit CuttingPlaneFallback(Objective& J) : J_(J) {}

  [[nodiscard]] bool fits(const StepProgress& now, const Point& /*point*/) const override {
    return now.newton_lost();
  }
  /// Each step is expected to halve the gap. The estimate becomes more pessimistic with every
  /// burst.
  [[nodiscard]] double svms(const StepProgress& now, const Point& /*point*/) const override {
    return (1.0 + bursts_) * std::log2(now.gap() / J_.options().tolerance);
  }
  [[nodiscard]] Point step(Point point) override {
    constexpr int kFirst = 3;
    const int steps = kFirst << bursts_++;
    for (int k = 0; k < steps && !J_.finished(); ++k) point = cut_step(std::move(point));
    return point;
  }

 protected:
  [[nodiscard]] virtual Point cut_step(Point point) = 0;
  Objective& J_;

 private:
  int bursts_ = 0;
};

}  // namespace kernmix
