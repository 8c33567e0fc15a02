#include "weights/newton.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

#include "regularizer/any.hpp"
#include "weights/curvature.hpp"
#include "weights/needed_weights.hpp"
#include "weights/start/newton_start.hpp"
#include "weights/strategies/bundle.hpp"
#include "weights/strategies/joint_steps.hpp"
#include "weights/strategies/level.hpp"

namespace kernmix {
namespace {

/// Where the second order model of J is smallest over D, on all kernels or on a working set; with
/// `careful`, but for weights that kernels will need.
template <HasModelMinimizer R>
Vector newton_target(const R& regularizer, WeightObjective& run, const Point& point,
                     bool careful = false) {
  std::vector<Index> subset(point.d.size());
  std::iota(subset.begin(), subset.end(), Index{0});
  if constexpr (HasSparseWeights<R>) {
    subset = point.priced_all() ? working_set(point, most_in_model(regularizer, run.kernels()))
                                : point.priced;
  }
  const WeightModel model = run.weight_model(run.softened(point), subset);
  Vector best = regularizer.minimize_quadratic(model);
  if (careful) best = keep_needed_weights(model, std::move(best));
  Vector target(point.d.size(), 0.0);
  for (std::size_t k = 0; k < subset.size(); ++k) {
    target[static_cast<std::size_t>(subset[k])] = best[k];
  }
  return target;
}

/// What takes over where the second order model is good in too small a region: steps that know J by
/// all its cutting planes. Here to their minimiser, the SVM there starting from the aggregated dual
/// vector: where the SVM's solution is not unique, that one is close to optimal for all weights.
template <typename R>
class CutSteps {
 public:
  CutSteps(const R& /*regularizer*/, Index /*kernels*/) {}
  void add(const Point& point) { bundle_.add(point); }

  /// Replaces `point` when the step improves it.
  void step(const R& regularizer, WeightObjective& run, Point& point) {
    const double gap = std::max(point.upper - run.best_dual(), 1e-15 * std::abs(point.upper));
    BundleStep step = minimize_cuts(regularizer, bundle_, point.d, gap);
    run.start_from(bundle_.aggregate(step.multipliers));
    Point next = run.evaluate(std::move(step.d), "bundle");
    add(next);
    if (next.upper < point.upper) point = std::move(next);
  }

 private:
  Bundle bundle_;
};

/// On the simplex without a penalty: level steps, each from the last one's weights.
template <HasLinearWeights R>
class CutSteps<R> {
 public:
  CutSteps(const R& regularizer, Index kernels) : program_(kernels, regularizer.upper_bound()) {}
  void add(const Point& point) { program_.add(point); }

  void step(const R& regularizer, WeightObjective& run, Point& point) {
    if (std::optional<Point> next = level_step(regularizer, run, program_, point.d)) {
      point = std::move(*next);
    }
  }

 private:
  CutProgram program_;
};

/// How a line search ended.
struct Trial {
  bool accepted = false;
  bool as_promised = false;  ///< J fell by a good part of what the model said, and visibly
};

/// Armijo's test. An evaluation knows J only up to its inner gap: upper values have that slack.
/// What K(d) in single precision adds no gap tells: where that may be why J seems to rise, values
/// are measured again, as one that is too low would be the reference for good.
bool has_fallen(const WeightObjective& run, Point& point, Point& next, double promise) {
  constexpr double kMostRounding = 1e-3;  // of J; 3e-5 was seen
  const auto bound = [&] { return point.upper + 1e-4 * promise + next.inner_gap; };
  const double rise = next.upper - bound();
  if (rise > 0.0 && rise < kMostRounding * std::abs(point.upper)) {
    run.make_exact(point);
    run.make_exact(next);
  }
  return next.upper <= bound();
}

/// Backtracking on the segment from point.d to target. Every trial feeds the bundle.
/// Replaces `point` when a step was accepted.
template <typename R>
Trial line_search(const R& regularizer, WeightObjective& run, CutSteps<R>& cuts, Point& point,
                  const Vector& target, int trials) {
  constexpr double kGoodPart = 0.1;
  double slope = regularizer.penalty(target) - regularizer.penalty(point.d);
  for (std::size_t m = 0; m < target.size(); ++m) {
    slope -= 0.5 * point.q[m] * (target[m] - point.d[m]);
  }
  if (!(slope < 0.0)) return {};
  run.extrapolate(point, target);
  if (run.finished()) return {true, true};
  double t = 1.0;
  for (int trial = 0; trial < trials && !run.finished(); ++trial, t *= 0.5) {
    Vector d(target.size());
    for (std::size_t m = 0; m < d.size(); ++m) {
      d[m] = (1.0 - t) * point.d[m] + t * target[m];
    }
    Point next = run.evaluate(std::move(d), "newton");
    if (next.priced_all()) cuts.add(next);
    if (has_fallen(run, point, next, t * slope)) {
      const double fall = point.upper - next.upper;
      const bool as_promised = fall >= -kGoodPart * t * slope && fall > 2.0 * next.inner_gap;
      point = std::move(next);
      return {true, as_promised};
    }
  }
  return {};
}

/// Steps in weights and dual vector at once, once, where cutting planes would be the other choice.
/// Of a single task only.
class JointSteps {
 public:
  template <typename R>
  JointSteps(const R& regularizer, WeightObjective& run, Point first)
      : run_(run.single_task()), first_(std::move(first)) {
    if constexpr (HasLinearWeights<R>) {
      upper_bound_ = regularizer.upper_bound();
      fit_ = run_ != nullptr &&
             joint_steps_worthwhile(run_->problem().loss, run.samples(), run.kernels()) &&
             joint_steps_fit(*run_, upper_bound_);
    }
  }
  [[nodiscard]] bool fit() const { return fit_; }
  /// Few samples with a_i != 0 are free: J is close to piecewise linear, and a second order model
  /// good in too small a region, unless the optimum is near.
  [[nodiscard]] bool better_than_newton(const Point& point) const {
    constexpr double kVeryFar = 0.25;
    return fit_ && run_->best_relative_gap() > kVeryFar && hardly_free(point);
  }
  /// After a step from gap `before`: where samples are at their bounds and it led nowhere, or where
  /// few are free and cutting planes, which halve the gap, would take more SVMs than
  /// factorisations, whose time grows faster with the samples, are worth.
  [[nodiscard]] bool better_than_more_steps(const Point& point, double before) const {
    constexpr double kSvms = 1.25;
    constexpr double kSamples = 200.0;
    if (!fit_ || point.free.size() <= 1) return false;
    const double gap = run_->best_relative_gap();
    if (gap > kFar && gap > 0.9 * before) return few_free(point, 1.1);
    const double size = static_cast<double>(length(point.a)) / kSamples;
    return few_free(point, 4.0) && std::log2(gap / run_->tolerance()) > kSvms * size * size;
  }
  /// Where other steps do not help, unless a few cuts may be enough: near the end, when they have
  /// not been tried. From the first point where `point` is as far from the end as that: it has
  /// weight on more kernels.
  void take(const Point& point, bool cuts_tried) {
    if (!fit_) return;
    if (run_->best_relative_gap() > kFar) {
      take_from_first();
    } else if (cuts_tried) {
      take_from(point);
    }
  }
  void take_from_first() { take_from(first_); }

 private:
  static constexpr double kFar = 0.1;

  void take_from(const Point& start) {
    if (run_->finished()) return;
    joint_steps(upper_bound_, *run_, start);
    fit_ = false;
  }

  Objective* run_;
  Point first_;
  double upper_bound_ = 0.0;
  bool fit_ = false;
};

/// True where the next step will hardly be the last one.
bool far_from_end(const WeightObjective& run, const Point& point) {
  return point.certificate.relative_gap() > 10.0 * run.tolerance();
}

/// The kernels with weight at `target` and `others` more that were priced, of the largest q.
std::vector<Index> few_kernels(const Point& point, const Vector& target, Index others) {
  std::vector<Index> few;
  std::vector<Index> rest;
  for (Index m = 0; m < length(target); ++m) {
    if (target[static_cast<std::size_t>(m)] > 0.0) {
      few.push_back(m);
    } else if (point.is_priced(m)) {
      rest.push_back(m);
    }
  }
  std::ranges::stable_sort(rest, std::greater<>(),
                           [&](Index m) { return point.q[static_cast<std::size_t>(m)]; });
  rest.resize(static_cast<std::size_t>(std::min(others, length(rest))));
  few.insert(few.end(), rest.begin(), rest.end());
  std::ranges::sort(few);
  return few;
}

/// A Newton step that looks at few kernels only. \returns false where that spares too little or no
/// longer divides the gap on these by two
template <typename R>
bool focused_step(const R& regularizer, WeightObjective& run, CutSteps<R>& cuts, Point& point) {
  constexpr Index kOthers = 16;
  if (point.products == nullptr) return false;  // a pass is cheap
  const Vector target = newton_target(regularizer, run, point);
  const std::vector<Index> few = few_kernels(point, target, kOthers);
  if (2 * length(few) > run.kernels()) return false;
  const double before = point.certificate.relative_gap();
  run.restrict_to(few);
  const bool stepped = line_search(regularizer, run, cuts, point, target, 1).accepted;
  run.restrict_to({});
  return stepped && point.certificate.relative_gap() < 0.5 * before;
}

/// Whether Newton's steps lead anywhere: within the accuracy of J they can go round in circles.
/// Where the dual value is the last to come, J falls as promised long before the certificate shows.
class Trust {
 public:
  void see(const Trial& trial) {
    accepted_ = trial.accepted;
    unpromising_ = trial.as_promised ? 0 : unpromising_ + 1;
  }
  void end_step(bool tighter) { fruitless_ = tighter ? 0 : fruitless_ + 1; }

  [[nodiscard]] bool lost() const {
    constexpr int kSteps = 3;
    constexpr int kPromisingSteps = 12;
    const bool in_circles = fruitless_ >= kSteps && unpromising_ > kSteps;
    return !accepted_ || in_circles || fruitless_ >= kPromisingSteps;
  }
  [[nodiscard]] bool exhausted() const {
    constexpr int kPatience = 40;
    return fruitless_ >= kPatience;
  }

 private:
  bool accepted_ = true;
  int fruitless_ = 0;    ///< steps in a row without a tighter certificate
  int unpromising_ = 0;  ///< and without a fall of J as promised
};

/// On the simplex a step that took needed weights is taken back, and `careful` from then on: as
/// long as none does, weights that vanish vanish at once.
template <typename R>
Trial newton_step(const R& regularizer, WeightObjective& run, CutSteps<R>& cuts, Point& point,
                  int trials, bool& careful) {
  const Point before = point;
  const Vector target = newton_target(regularizer, run, point, careful);
  const Trial trial = line_search(regularizer, run, cuts, point, target, trials);
  if (!HasLinearWeights<R> || careful || !took_needed_weights(before, point)) return trial;
  careful = true;
  point = before;
  run.start_from(point.a);
  return line_search(regularizer, run, cuts, point, newton_target(regularizer, run, point, careful),
                     trials);
}

template <typename R>
void newton_steps(const R& regularizer, WeightObjective& run) {
  CutSteps<R> cuts(regularizer, run.kernels());
  run.keep_products();
  Vector first = run.weights_of_part();
  const bool from_part = !first.empty();
  if (!from_part) first = first_weights(regularizer, run);
  Point point = run.evaluate(std::move(first), from_part ? "part" : "start");
  cuts.add(point);
  JointSteps joint(regularizer, run, point);
  StartSteps<R> start(regularizer, run, point);
  while (!from_part && !run.finished() && !joint.better_than_newton(point) &&
         start.go_on(run.best_relative_gap())) {
    point = run.evaluate(start.next(regularizer, point), "closed-form");
    cuts.add(point);
  }
  if (joint.better_than_newton(point)) joint.take_from_first();
  int trials = joint.fit() ? 1 : 3;
  constexpr int kFirstCutSteps = 3;
  int cut_steps = kFirstCutSteps;
  Trust trust;
  bool may_focus = HasSparseWeights<R>;
  bool careful = false;
  while (!run.finished()) {
    const double before = run.best_relative_gap();
    // Only where all q are known, which tell the few kernels from the others: every other step.
    if (may_focus && point.priced_all() && far_from_end(run, point)) {
      may_focus = focused_step(regularizer, run, cuts, point);
      if (may_focus || run.finished()) continue;
    }
    const Trial trial = newton_step(regularizer, run, cuts, point, trials, careful);
    if constexpr (HasSparseWeights<R>) may_focus = trial.accepted;
    trust.see(trial);
    if (joint.better_than_more_steps(point, before)) joint.take_from_first();
    if (trust.lost()) {
      joint.take(point, cut_steps > kFirstCutSteps);
      for (int k = 0; k < cut_steps && !run.finished(); ++k) cuts.step(regularizer, run, point);
      cut_steps *= 2;
      trials = 1;
    }
    trust.end_step(run.best_relative_gap() < 0.99 * before);
    if (trust.exhausted()) run.give_up();
  }
}

}  // namespace

void newton(const Regularizer& regularizer, WeightObjective& run) {
  visit(
      [&]<typename R>(const R& r) {
        if constexpr (Newton::takes<R>) newton_steps(r, run);
      },
      regularizer);
}

}  // namespace kernmix
