/// \file
/// Level steps on the simplex without a penalty. Each step starts from the weights of the last one,
///
///   d <- argmin 1/2 |x - d|^2   s.t.  x in D,  cut_i(x) <= level  for every cut i

#include "weights/cuts/level_step.hpp"
#include "weights/strategies/cutting_plane_fallback.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

class LevelSteps final : public CuttingPlaneFallback {
 public:
  LevelSteps(const WeightRules& rules, Objective& J)
      : CuttingPlaneFallback(J),
        rules_(rules),
        program_(J.kernels(), *rules.linear_bound(J.kernels())) {}

  void see(const Point& point) override { program_.add(point); }

 private:
  [[nodiscard]] Point cut_step(Point point) override {
    std::optional<Point> next = level_step(rules_, J_, program_, point.d);
    return next ? std::move(*next) : point;
  }

  const WeightRules& rules_;
  CutProgram program_;
};

std::unique_ptr<Steps> level_steps(const WeightRules& rules, Objective& J, const Start& /*start*/) {
  if (!rules.linear()) return nullptr;
  return std::make_unique<LevelSteps>(rules, J);
}

}  // namespace

const Strategy strategy::level{
    .name = "level",
    .what = "level steps on cutting planes, used when Newton's method stagnates",
    .steps = level_steps};

}  // namespace kernmix
