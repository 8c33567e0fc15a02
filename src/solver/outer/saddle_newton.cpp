#include "solver/outer/saddle_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "solver/outer/bundle.hpp"
#include "solver/outer/saddle_model.hpp"

namespace kernmix {
namespace {

/// The iteration's state: weights, what evaluating them told, and the cuts of all evaluations.
class SaddleSearch {
 public:
  SaddleSearch(const MixedNormSaddle& regularizer, Run& run)
      : regularizer_(regularizer), simplexes_{2.0, regularizer.group}, run_(run) {
    weights_ = even_saddle_weights(regularizer);
    point_ = evaluated(weights_, "start");
  }

  /// Back to even weights, where the alternation begins.
  void start_again() {
    weights_ = even_saddle_weights(regularizer_);
    point_ = evaluated(weights_, "start");
  }

  void closed_form_step() {
    weights_ = closed_form(regularizer_, weights_, point_.q);
    point_ = evaluated(weights_, "closed-form");
  }

  /// Takes the Newton step, or half of it, if that improves the certificate. V is known up to the
  /// inner gap: a step that promises much less waits for a more accurate SVM.
  bool newton_step() {
    constexpr int kHalvings = 1;
    const auto found = saddle_newton_step(regularizer_, run_, weights_, point_);
    if (!found) return false;
    const SaddleStep& step = *found;
    if (step.decrease + step.increase < 0.1 * point_.inner_gap && sharpen()) return true;
    double t = 1.0;
    for (int trial = 0; trial <= kHalvings && !run_.finished(); ++trial, t *= 0.5) {
      SaddleWeights next = part_of_the_way(weights_, step.target, t);
      Point there = evaluated(next, "newton");
      const bool closer = there.certificate.gap <= (1.0 - 0.1 * t) * point_.certificate.gap;
      if (!closer && !climbs(step, there, t)) continue;
      weights_ = std::move(next);
      point_ = std::move(there);
      return true;
    }
    return false;
  }

  /// The minimiser over lambda of all cuts, then h and the SVM in turn until h can gain little.
  void bundle_step() {
    constexpr int kRounds = 5;
    const double primal = point_.certificate.primal;
    const double gap = std::max(primal - run_.best_dual(), 1e-15 * std::abs(primal));
    BundleStep step = minimize_cuts(simplexes_, bundle_, weights_.lambda, gap);
    SaddleWeights next{std::move(step.d), weights_.share};
    normalise_groups(regularizer_.group, next.lambda);
    run_.start_from(bundle_.aggregate(step.multipliers));
    for (int round = 0; round < kRounds && !run_.finished(); ++round) {
      Point there = evaluated(next, "bundle");
      const double left = share_gap(regularizer_, next, there.q);
      const bool settled = left <= 0.1 * there.certificate.gap;
      if (there.certificate.primal < point_.certificate.primal) {
        weights_ = next;
        point_ = there;
      }
      if (settled) return;
      next.share = best_shares(regularizer_, next.lambda, there.q);
    }
  }

 private:
  /// Solves the SVM at the same weights more accurately; false once that has been done often
  /// enough.
  bool sharpen() {
    constexpr int kSharpest = 6;
    if (sharpened_ == kSharpest) return false;
    ++sharpened_;
    run_.sharpen();
    point_ = evaluated(weights_, "svm");
    return true;
  }

  /// Where most of what the step promises is along h, rising to a good part of it is progress even
  /// if the primal bound suffers: for large q that bound hangs on the smallest share alone.
  [[nodiscard]] bool climbs(const SaddleStep& step, const Point& there, double t) const {
    const double lowest = there.upper - there.inner_gap;
    return step.increase >= step.decrease && lowest >= point_.upper + 0.1 * t * step.increase;
  }

  /// Evaluates the weights and keeps the cut, which is linear in lambda because h is fixed at its
  /// best for this dual vector: V(lambda) >= gain - 1/2 sum_jk lambda_jk q_jk / h_j^c.
  Point evaluated(const SaddleWeights& weights, const std::string& step) {
    Point point = evaluate_saddle(regularizer_, run_, weights, step);
    Point cut = point;
    const SaddleWeights best{Vector(point.q.size(), 1.0),
                             best_shares(regularizer_, weights.lambda, point.q)};
    const Vector scale = best.kernel_weights(regularizer_);
    for (std::size_t m = 0; m < cut.q.size(); ++m) cut.q[m] *= scale[m];
    bundle_.add(cut);
    return point;
  }

  const MixedNormSaddle& regularizer_;
  MixedNorm simplexes_;
  Run& run_;
  Bundle bundle_;
  SaddleWeights weights_;
  Point point_;
  int sharpened_ = 0;
};

/// Closed-form steps alone, from the beginning: they reach small gaps where Newton steps have no
/// success, as shares that went to zero do not come back.
void alternate(SaddleSearch& search, Run& run) {
  constexpr int kPatience = 100;
  search.start_again();
  int fruitless = 0;
  while (!run.finished()) {
    const double before = run.best_relative_gap();
    search.closed_form_step();
    fruitless = run.best_relative_gap() < 0.999 * before ? 0 : fruitless + 1;
    if (fruitless == kPatience) run.give_up();
  }
}

}  // namespace

void saddle_newton(const MixedNormSaddle& regularizer, Run& run) {
  constexpr int kStart = 2;
  constexpr int kPatience = 5;
  constexpr int kMostBundleSteps = 16;
  SaddleSearch search(regularizer, run);
  for (int k = 0; k < kStart && !run.finished(); ++k) search.closed_form_step();
  int bundle_steps = 1;
  int fruitless = 0;
  while (!run.finished()) {
    const double before = run.best_relative_gap();
    if (!search.newton_step()) {
      for (int k = 0; k < bundle_steps && !run.finished(); ++k) search.bundle_step();
      bundle_steps = std::min(2 * bundle_steps, kMostBundleSteps);
    }
    fruitless = run.best_relative_gap() < 0.99 * before ? 0 : fruitless + 1;
    if (fruitless == kPatience) return alternate(search, run);
  }
}

}  // namespace kernmix
