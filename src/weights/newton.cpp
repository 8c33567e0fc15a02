#include "weights/newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "regularizer/any.hpp"
#include "weights/curvature.hpp"
#include "weights/strategies/strategies.hpp"

namespace kernmix {
namespace {

/// The kernels in the next model.
std::vector<Index> modelled(const WeightRules& rules, const Point& point) {
  constexpr Index kOthers = 64;
  constexpr Index kOthersDense = 16;  // dense kernels with weight are expensive to read
  return modelled_kernels(rules, point.d, point.q,
                          point.products == nullptr ? kOthers : kOthersDense);
}

/// The minimiser of the model over D. Kernels outside the model get weight zero.
/// \param careful  the strategy that keeps needed weights, or null
Vector minimiser(const WeightRules& rules, const LocalModel& model, Index M,
                 const Strategy* careful) {
  Vector best = rules.minimize_quadratic(model.quadratic);
  if (careful != nullptr) best = careful->keep(model.quadratic, std::move(best));
  return on_all_kernels(best, model.kernels, M);
}

/// The first order change of J between the point and x.
double first_order_change(const WeightRules& rules, const Point& point, const Vector& x) {
  double slope = rules.penalty(x) - rules.penalty(point.d);
  for (std::size_t m = 0; m < x.size(); ++m) slope -= 0.5 * point.q[m] * (x[m] - point.d[m]);
  return slope;
}

/// Armijo's test. An evaluation determines J only up to its inner gap, so the test allows that
/// slack on upper values. The inner gap does not include the rounding of K(d) in single precision.
/// If rounding may explain an increase of J, both points are evaluated again exactly, because a
/// value that is too low would otherwise remain the reference for all later steps.
bool has_fallen(const Objective& J, Point& point, Point& next, double promise) {
  constexpr double kMostRounding = 1e-3;  // relative to J; 3e-5 was observed
  const auto bound = [&] { return point.upper + 1e-4 * promise + next.inner_gap; };
  const double rise = next.upper - bound();
  if (rise > 0.0 && rise < kMostRounding * std::abs(point.upper)) {
    J.make_exact(point);
    J.make_exact(next);
  }
  return next.upper <= bound();
}

/// Backtracks on the segment from point.d to x. The function replaces `point` if it accepts a step.
Trial line_search(Objective& J, Strategies& offered, Point& point, const Vector& x, double slope,
                  int trials) {
  constexpr double kGoodPart = 0.1;
  double t = 1.0;
  for (int trial = 0; trial < trials && !J.finished(); ++trial, t *= 0.5) {
    Vector d(x.size());
    for (std::size_t m = 0; m < d.size(); ++m) d[m] = (1.0 - t) * point.d[m] + t * x[m];
    Point next = J.evaluate(std::move(d), "newton");
    offered.see(next);
    if (has_fallen(J, point, next, t * slope)) {
      const double fall = point.upper - next.upper;
      const bool as_promised = fall >= -kGoodPart * t * slope && fall > 2.0 * next.inner_gap;
      point = std::move(next);
      return {true, as_promised};
    }
  }
  return {};
}

/// Newton's method, with the state that it keeps between steps.
class NewtonSteps {
 public:
  NewtonSteps(const WeightRules& rules, Objective& J, Strategies& offered)
      : rules_(rules),
        J_(J),
        offered_(offered),
        trials_(offered.end_alone() ? 1 : 3),
        keeping_(rules.linear() ? first_with(J.options(), &Strategy::keep) : nullptr),
        foreseeing_(first_with(J.options(), &Strategy::foresee)) {}

  /// Replaces `point` if the step is accepted. On the simplex, a step that removes needed weights
  /// is undone, and all later steps use the `keep` function of the strategy. Until then, steps may
  /// set vanishing weights to zero at once.
  Trial step(Point& point) {
    const LocalModel model = J_.model(point, modelled(rules_, point), free_samples(J_, point));
    const Vector x = minimiser(rules_, model, J_.kernels(), careful_ ? keeping_ : nullptr);
    const double promise = first_order_change(rules_, point, x);
    if (!(promise < 0.0)) return {};
    if (foreseeing_ != nullptr) foreseeing_->foresee(J_, point, model, x);
    if (J_.finished()) return {true, true};
    Point next = point;
    const Trial trial = line_search(J_, offered_, next, x, promise, trials_);
    if (keeping_ != nullptr && !careful_ && keeping_->took(point, next)) {
      careful_ = true;
      J_.start_from(point.a);
      return {true, true};
    }
    point = std::move(next);
    return trial;
  }

  /// Limits the line search to one trial per step from now on.
  void search_less() { trials_ = 1; }

 private:
  const WeightRules& rules_;
  Objective& J_;
  Strategies& offered_;
  int trials_;
  const Strategy* keeping_;     ///< keeps needed weights, or null
  const Strategy* foreseeing_;  ///< predicts the next dual vector, or null
  bool careful_ = false;
};

}  // namespace

void newton(const Regularizer& regularizer, Objective& J) {
  const WeightRules rules(regularizer);
  Strategies offered(rules, J);
  Point point = offered.start();
  StepProgress record(J.best_relative_gap());
  NewtonSteps steps(rules, J, offered);
  while (!J.finished()) {
    if (Steps* others = offered.cheapest(record, point)) {
      if (record.newton_lost()) steps.search_less();
      point = others->step(std::move(point));
      offered.see(point, others);
      record.see_other(J.best_relative_gap());
    } else {
      const Trial trial = steps.step(point);
      record.see_newton(trial, J.best_relative_gap());
    }
    if (record.exhausted()) J.give_up();
  }
}

}  // namespace kernmix
