/// \file
/// Steps to the minimiser of all cutting planes, for any D:
///
///   d <- argmin_{x in D} max_i cut_i(x) + Phi(x).
///
/// The SVM at the minimiser starts from the aggregated dual vector. If the solution of the SVM is
/// not unique, that vector is close to optimal for all weights.

#include <algorithm>
#include <cmath>

#include "weights/cuts/bundle.hpp"
#include "weights/strategies/cutting_plane_fallback.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

class CutSteps final : public CuttingPlaneFallback {
 public:
  CutSteps(const WeightRules& rules, Objective& J) : CuttingPlaneFallback(J), rules_(rules) {}

  void see(const Point& point) override { bundle_.add(point); }

 private:
  [[nodiscard]] Point cut_step(Point point) override {
    const double gap = std::max(point.upper - J_.best_dual(), 1e-15 * std::abs(point.upper));
    BundleStep step = minimize_cuts(rules_, bundle_, point.d, gap);
    J_.start_from(bundle_.aggregate(step.multipliers));
    Point next = J_.evaluate(std::move(step.d), strategy::cuts.name);
    see(next);
    return next.upper < point.upper ? next : point;
  }

  const WeightRules& rules_;
  Bundle bundle_;
};

std::unique_ptr<Steps> cut_steps(const WeightRules& rules, Objective& J, const Start& /*start*/) {
  if (rules.linear() && offers(J.options(), strategy::level)) return nullptr;
  return std::make_unique<CutSteps>(rules, J);
}

}  // namespace

const Strategy strategy::cuts{.name = "cuts",
                              .what = "cutting-plane steps, used when Newton's method stagnates",
                              .steps = cut_steps};

}  // namespace kernmix
