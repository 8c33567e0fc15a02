/// \file
/// Closed-form steps (weights/alternating.hpp) before Newton's method. The solve takes one step, up
/// to three while the gap is large, and more as long as each divides the gap by four, since no
/// second order step does better for large p. The steps decrease J monotonically from any starting
/// point.
///
/// If the weights need only sum to 1 and there are few enough samples for interior point steps, the
/// steps use only the kernels with the largest q at the first weights, and the first step treats
/// these kernels as if they had equal weights. There are no closed-form steps
///
/// - if reading kernels is expensive and few kernels get weight, because the first Newton step
///   finds these kernels;
/// - if the first weights come from a part of the samples or from an earlier answer;
/// - on the simplex, if nearly all samples are at their bounds, or most of them after a start on a
///   part of the kernels, and K(d) has more columns than samples are free. Closed-form steps help
///   only with free dual variables: these grow as K(d) shrinks, and J with them like 1 / d, so that
///   a second order model is accurate only locally. This holds for every column of K(d) if as many
///   samples are free, however many are at their bounds.

#include <cmath>

#include "weights/alternating.hpp"
#include "weights/strategies/few_free.hpp"
#include "weights/strategies/first_kernels.hpp"
#include "weights/strategies/interior_point.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

class ClosedFormSteps final : public Steps {
 public:
  ClosedFormSteps(const WeightRules& rules, Objective& J, const Point& first)
      : rules_(rules), J_(J) {
    if (rules.linear() && joint_steps_affordable(J.samples(), J.kernels())) {
      leading_ = leading_kernels(first.q, *rules.linear_bound(J.kernels()));
    }
  }

  [[nodiscard]] bool fits(const StepProgress& now, const Point& /*point*/) const override {
    constexpr int kFar = 3;
    if (!now.at_start()) return false;
    const bool far = steps_ < kFar && now.gap() > 0.3;
    return steps_ == 0 || far || now.gap() < 0.25 * now.before();
  }
  [[nodiscard]] double svms(const StepProgress& /*now*/, const Point& /*point*/) const override {
    return 1.0;  // each step pays off on its own
  }
  [[nodiscard]] Point step(Point point) override {
    point = J_.evaluate(next(point), strategy::closed_form.name);
    ++steps_;
    return point;
  }

 private:
  [[nodiscard]] Vector next(const Point& point) const {
    if (leading_.empty()) return closed_form(rules_, point);
    Vector norms(point.d.size(), 0.0);
    for (const Index k : leading_) {
      const auto m = static_cast<std::size_t>(k);
      norms[m] = (steps_ == 0 ? 1.0 : point.d[m]) * std::sqrt(point.q[m]);
    }
    return rules_.best_weights(norms);
  }

  const WeightRules& rules_;
  Objective& J_;
  std::vector<Index> leading_;
  int steps_ = 0;
};

/// Whether at least as many samples are free as K(d) has columns in a factor.
bool frees_each_column(const Objective& J, const Point& first) {
  const Index columns = J.problem().bank.combined(first.d)->columns();
  return columns >= 0 && length(first.free) >= columns;
}

std::unique_ptr<Steps> closed_form_steps(const WeightRules& rules, Objective& J,
                                         const Start& start) {
  const Point& first = start.point;
  const bool nearly_there =
      start.by == &strategy::part_of_samples || start.by == &strategy::earlier_answer;
  if (nearly_there) return nullptr;
  if (rules.sparse() && first.products != nullptr) return nullptr;
  if (rules.linear() && J.is_single()) {
    const bool of_part = std::ranges::count(first.d, 0.0) > 0;
    const bool mostly_bound = of_part ? few_free(first, 2) : hardly_free(first);
    if (mostly_bound && !frees_each_column(J, first)) return nullptr;
  }
  return std::make_unique<ClosedFormSteps>(rules, J, first);
}

}  // namespace

const Strategy strategy::closed_form{.name = "closed-form",
                                     .what = "first steps with closed-form weights",
                                     .steps = closed_form_steps};

}  // namespace kernmix
