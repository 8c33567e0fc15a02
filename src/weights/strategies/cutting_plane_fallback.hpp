#pragma once
/// \file
/// Steps by all cutting planes, several at a time, where Newton's lead nowhere.

#include <cmath>

#include "weights/strategies/strategy.hpp"

namespace kernmix {

/// A few steps where Newton's steps are lost, twice as many the next time.
class CuttingPlaneFallback : public Steps {
 public:
  explicit CuttingPlaneFallback(Objective& J) : J_(J) {}

  [[nodiscard]] bool fits(const StepProgress& now, const Point& /*point*/) const override {
    return now.newton_lost();
  }
  /// Each step halves the gap, about; less where they have been tried.
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
