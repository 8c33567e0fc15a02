#include "weights/saddle/saddle_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "weights/saddle/saddle_model.hpp"

namespace kernmix {
namespace {

/// The state of the iteration: the current weights with their evaluation, and those of the
/// alternation, which runs independently.
class SaddleSearch {
 public:
  SaddleSearch(const MixedNormSaddle& regularizer, Objective& run)
      : regularizer_(regularizer), run_(run) {
    alternating_ = {even_saddle_weights(regularizer), {}};
    alternating_.point = evaluate(alternating_.weights, "start");
    go_to(alternating_);
  }

  /// Takes `steps` closed-form steps of the alternation from its last iterate.
  /// \returns whether the gap is now smaller than that of the current iterate, which the
  ///          alternation's iterate then replaces
  bool alternate(int steps) {
    run_.start_from(alternating_.point.a);
    for (int k = 0; k < steps && !run_.finished(); ++k) {
      auto& [weights, point] = alternating_;
      weights = closed_form(regularizer_, weights, point.q);
      point = evaluate(weights, "closed-form");
    }
    if (!(alternating_.point.certificate.gap < here_.point.certificate.gap)) return false;
    go_to(alternating_);
    return true;
  }

  /// Takes the Newton step, or half of it, if that improves the certificate. V is known only up to
  /// the inner gap, so a step with a much smaller predicted change first requires a more accurate
  /// SVM. A model that predicts only a tiny part of the gap does not capture the reason for the
  /// gap.
  bool newton_step() {
    constexpr int kHalvings = 1;
    constexpr double kBlind = 1e-3;
    const auto found = saddle_newton_step(regularizer_, run_, here_.weights, here_.point);
    if (!found) return false;
    const SaddleStep& step = *found;
    const double promise = step.decrease + step.increase;
    if (promise < 0.1 * here_.point.inner_gap && tighten_inner_tolerance()) return true;
    const bool blind = promise <= kBlind * here_.point.certificate.gap;
    double t = 1.0;
    for (int trial = 0; trial <= kHalvings && !run_.finished(); ++trial, t *= 0.5) {
      SaddleWeights next = part_of_the_way(here_.weights, step.target, t);
      Point there = evaluate(next, "newton");
      const bool closer = there.certificate.gap <= (1.0 - 0.1 * t) * least_gap_;
      const bool better = !blind && (climbs(step, there, t) || falls(step, there, t));
      if (!closer && !better) continue;
      go_to({std::move(next), std::move(there)});
      return true;
    }
    return false;
  }

 private:
  struct Place {
    SaddleWeights weights;
    Point point;
  };

  void go_to(Place place) {
    here_ = std::move(place);
    least_gap_ = std::min(least_gap_, here_.point.certificate.gap);
    least_primal_ = std::min(least_primal_, here_.point.certificate.primal);
  }

  /// Solves the SVM at the same weights more accurately. The result is false if its gap is already
  /// a small part of the total gap or if the limit of attempts is reached.
  bool tighten_inner_tolerance() {
    constexpr int kSharpest = 6;
    constexpr double kSmallPart = 0.01;
    const bool small = here_.point.inner_gap < kSmallPart * here_.point.certificate.gap;
    if (small || sharpened_ == kSharpest) return false;
    ++sharpened_;
    run_.tighten_inner_tolerance();
    here_.point = evaluate(here_.weights, "svm");
    return true;
  }

  /// Accepts a step whose predicted change is mostly along h if V increases by a good part of it.
  /// This is progress even if the primal bound gets worse: for large q that bound depends mainly on
  /// the smallest share.
  [[nodiscard]] bool climbs(const SaddleStep& step, const Point& there, double t) const {
    const double lowest = there.upper - there.inner_gap;
    return step.increase >= step.decrease && lowest >= here_.point.upper + 0.1 * t * step.increase;
  }

  /// Accepts a step if the lowest primal value decreases by a good part of the predicted decrease
  /// along lambda. The dual value is no criterion here, because kernels without weight may keep it
  /// low for a while.
  [[nodiscard]] bool falls(const SaddleStep& step, const Point& there, double t) const {
    const double fall = least_primal_ - there.certificate.primal;
    return step.decrease >= step.increase && fall >= 0.1 * t * step.decrease;
  }

  Point evaluate(const SaddleWeights& weights, const std::string& step) {
    return evaluate_saddle(regularizer_, run_, weights, step);
  }

  const MixedNormSaddle& regularizer_;
  Objective& run_;
  Place alternating_;
  Place here_;
  double least_gap_ = std::numeric_limits<double>::infinity();
  double least_primal_ = std::numeric_limits<double>::infinity();
  int sharpened_ = 0;
};

}  // namespace

void saddle_newton(const MixedNormSaddle& regularizer, Objective& run) {
  constexpr int kStart = 2;
  constexpr int kMostAlternating = 64;
  constexpr int kPatience = 15;
  SaddleSearch search(regularizer, run);
  search.alternate(kStart);
  int steps = kStart;
  int fruitless = 0;
  bool elsewhere = true;  // the weights have changed since the last failed Newton step
  while (!run.finished()) {
    const double before = run.best_relative_gap();
    elsewhere = elsewhere && search.newton_step();
    if (!elsewhere) {
      steps = std::min(2 * steps, kMostAlternating);
      elsewhere = search.alternate(steps);
    }
    fruitless = run.best_relative_gap() < 0.99 * before ? 0 : fruitless + 1;
    if (fruitless == kPatience) run.give_up();
  }
}

}  // namespace kernmix
