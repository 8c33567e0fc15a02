#include "svm/newton/semismooth_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas_threads.hpp"
#include "base/roots/slope_search.hpp"
#include "svm/newton/factor_system.hpp"

namespace kernmix {
namespace {

/// The first step of the proximal point method, in units of the response: with a longer one the
/// first problems would be nearly as hard as the original.
constexpr double kColdStep = 0.1;
constexpr double kWarmStep = 1.0;
constexpr double kStepGrowth = 5.0;
/// A proximal problem is solved to this fraction of the gap due to its anchor.
constexpr double kNewtonShare = 0.3;
/// Limits after which only rounding is assumed to remain: Newton steps in total, steps and anchors
/// without a smaller gap, and evaluations of the exact gap that do not halve it.
constexpr Index kMostSteps = 3000;
constexpr Index kIdleSteps = 200;
constexpr Index kIdleAnchors = 8;
constexpr Index kWeakLooks = 6;
/// Newton steps that do not halve the smallest |w - v|^2 near this anchor when it is at the level
/// of rounding. Compared with the previous step only, cycling would look like progress.
constexpr Index kRoundedSteps = 3;
/// Relative error of a decision value: several roundings of sums of r products.
constexpr double kValueRounding = 10.0 * std::numeric_limits<double>::epsilon();

double inner_product(ConstSpan left, ConstSpan right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

/// The responses a at decision values f, with slopes and biases.
struct FactorAnswer {
  Vector bias;
  Vector a;
  Vector slope;

  void find(const DualResponse& response, ConstSpan f, const Context& context) {
    response.answer(f, bias, a, slope, context);
  }
};

class FactorSearch {
 public:
  FactorSearch(const Problem& problem, const DualSet& set, const WeightedColumns& Z,
               DualResponse& response, const ExactProduct& exact, const InnerGap& gap,
               const Context& context)
      : problem_(problem),
        set_(set),
        Z_(Z),
        response_(response),
        exact_(exact),
        gap_(gap),
        context_(context),
        offset_(to_size(Z.rows()), 0.0) {}

  InnerResult run(double gap_target, double step, MutableSpan a, MutableSpan z) {
    start(gap_target, step, a);
    while (!finished()) {
      if (solved_near_anchor()) {
        move_anchor();
      } else if (rounded_steps_ >= kRoundedSteps) {
        shorten_step();
      }
      newton_step();
    }
    if (best_gap_ > start_gap_) {  // stopped early
      exact_(a, z);
      return {gap_(a, z), steps_};
    }
    std::ranges::copy(best_a_, a.begin());
    std::ranges::copy(best_z_, z.begin());
    return {best_gap_, steps_};
  }

 private:
  void start(double gap_target, double step, ConstSpan a);
  bool finished();
  void look();
  void move_anchor();
  void shorten_step();
  void set_anchor();
  void newton_step();
  void follow(ConstSpan before);
  void measure();
  [[nodiscard]] double loss_gap() const;
  [[nodiscard]] double newton_rounding() const;
  [[nodiscard]] bool solved_near_anchor() const;
  [[nodiscard]] bool exhausted() const;

  const Problem& problem_;
  const DualSet& set_;
  const WeightedColumns& Z_;
  DualResponse& response_;
  const ExactProduct& exact_;
  const InnerGap& gap_;
  const Context& context_;
  Vector offset_;  ///< difference between exact products and those of Z, at the last evaluation
  Vector w_;
  Vector f_;  ///< Z w + offset
  FactorAnswer now_;
  Vector v_;                 ///< Z'a
  double newton_gap_ = 0.0;  ///< 1/2 |w - v|^2, the gap of the proximal problem
  double least_newton_gap_ = std::numeric_limits<double>::infinity();  ///< near this anchor
  double anchor_gap_ = 0.0;  ///< the rest of the gap at (w, a)
  double step_ = 0.0;
  double longest_step_ = std::numeric_limits<double>::infinity();
  double target_ = 0.0;     ///< of the exact gap
  double threshold_ = 0.0;  ///< of the gap at (w, a) below which the exact gap is evaluated
  double start_gap_ = 0.0;
  double newton_threshold_ =
      std::numeric_limits<double>::infinity();  ///< the same for its first part
  Vector best_a_, best_z_;
  double best_gap_ = std::numeric_limits<double>::infinity();
  double least_gap_ = std::numeric_limits<double>::infinity();
  double gap_at_anchor_ = std::numeric_limits<double>::infinity();
  Index steps_ = 0;
  Index idle_steps_ = 0;
  Index idle_anchors_ = 0;
  Index rounded_steps_ = 0;
  Index weak_looks_ = 0;
  bool stuck_ = false;
  bool stopped_ = false;
};

/// The Fenchel-Young gaps at decision values f, with the penalised bias or the optimal bias.
double FactorSearch::loss_gap() const {
  const Bias rule = problem_.bias == Bias::penalised ? Bias::none : problem_.bias;
  return loss_at(problem_.loss, rule, problem_.y(), f_, now_.a, problem_.C()).gap;
}

void FactorSearch::start(double gap_target, double step, ConstSpan a) {
  now_ = {Vector(set_.totals.size(), 0.0), Vector(a.begin(), a.end()), Vector(a.size(), 0.0)};
  v_ = Z_.transposed_product(a, context_);
  w_ = v_;
  f_.resize(a.size());
  Z_.multiply(w_, f_, context_);
  const double gap = loss_gap();
  const double size = std::max(gap, inner_product(w_, w_));
  target_ = std::min(gap_target, std::max(inner_gap_reduction * gap, 1e-14 * size));
  threshold_ = target_;
  response_.set_unit(f_);
  step_ = step / response_.unit();
  start_gap_ = gap;
  anchor_gap_ = gap;
  if (gap > target_) {
    set_anchor();
  } else {
    response_.set_anchor(a, step_);
  }
}

void FactorSearch::measure() {
  newton_gap_ = 0.0;
  for (std::size_t c = 0; c < w_.size(); ++c) {
    newton_gap_ += 0.5 * (w_[c] - v_[c]) * (w_[c] - v_[c]);
  }
  const bool smaller = newton_gap_ <= 0.5 * least_newton_gap_;
  if (smaller) least_newton_gap_ = newton_gap_;
  const bool rounded = !smaller && response_.proximal() && newton_gap_ <= newton_rounding();
  rounded_steps_ = rounded ? rounded_steps_ + 1 : 0;
  // While the gap of the proximal problem is large, the gap due to the anchor is irrelevant.
  if (newton_gap_ <= std::max(threshold_, kNewtonShare * anchor_gap_)) {
    anchor_gap_ = loss_gap();
  }
  const double gap = newton_gap_ + anchor_gap_;
  idle_steps_ = gap < 0.9 * least_gap_ ? 0 : idle_steps_ + 1;
  least_gap_ = std::min(least_gap_, gap);
}

/// Rounding error of 1/2 |w - v|^2: errors of f times the slopes of a, added as independent errors
/// in v = Z'a, and the errors of w.
double FactorSearch::newton_rounding() const {
  double squares = inner_product(w_, w_);
  for (std::size_t i = 0; i < f_.size(); ++i) {
    if (now_.slope[i] == 0.0) continue;
    const double change = now_.slope[i] * (std::abs(f_[i]) + response_.unit());
    squares += change * change * Z_.squared_norm(static_cast<Index>(i));
  }
  return 0.5 * kValueRounding * kValueRounding * squares;
}

bool FactorSearch::solved_near_anchor() const {
  return response_.proximal() &&
         newton_gap_ <= std::min(kNewtonShare * anchor_gap_, newton_threshold_);
}

bool FactorSearch::exhausted() const {
  return stopped_ || stuck_ || steps_ >= kMostSteps || idle_steps_ >= kIdleSteps ||
         idle_anchors_ >= kIdleAnchors || weak_looks_ >= kWeakLooks;
}

bool FactorSearch::finished() {
  measure();
  stopped_ = context_.should_stop();
  const bool promising =
      newton_gap_ + anchor_gap_ <= threshold_ && newton_gap_ <= newton_threshold_;
  if (!promising && !exhausted()) return false;
  look();
  return best_gap_ <= target_ || exhausted();
}

/// Evaluates the exact gap. From then on f includes the difference between the exact product and
/// that of Z.
void FactorSearch::look() {
  make_feasible(set_, now_.a);
  v_ = Z_.transposed_product(now_.a, context_);
  const double constant = problem_.bias == Bias::penalised ? v_.back() : 0.0;
  Vector product(f_.size());
  Z_.multiply(v_, product, context_);
  for (std::size_t i = 0; i < product.size(); ++i) product[i] += offset_[i] - constant;
  Vector z(f_.size());
  exact_(now_.a, z);
  const double gap = gap_(now_.a, z);
  if (gap > 0.5 * best_gap_) {
    ++weak_looks_;
  } else {  // gaps near anchors may be rounding by now: the exact gap says that steps still help
    idle_steps_ = idle_anchors_ = 0;
  }
  if (gap < best_gap_) {
    best_gap_ = gap;
    best_a_ = now_.a;
    best_z_ = z;
  }
  if (best_gap_ <= target_ || stopped_) return;
  // The decision values Z v differ from Z w to first order in |w - v|, the gap at (w, a) to second.
  if (gap_(now_.a, product) > 2.0 * (newton_gap_ + anchor_gap_)) {
    newton_threshold_ = std::max(1e-4 * newton_gap_, 1e-31 * inner_product(w_, w_));
  } else if (newton_gap_ + anchor_gap_ > 0.1 * gap) {
    threshold_ *= 0.3;
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    f_[i] += z[i] - product[i];
    offset_[i] += z[i] - product[i];
  }
  const Vector before = now_.a;
  now_.find(response_, f_, context_);
  follow(before);
}

/// Starts the next proximal problem around the current answer, with a longer step if the last one
/// gained little.
void FactorSearch::move_anchor() {
  const bool slow = anchor_gap_ > gap_at_anchor_ / kStepGrowth;
  idle_anchors_ = anchor_gap_ < 0.9 * gap_at_anchor_ ? 0 : idle_anchors_ + 1;
  gap_at_anchor_ = std::min(gap_at_anchor_, anchor_gap_);
  if (slow && step_ < longest_step_) step_ *= kStepGrowth;
  set_anchor();
}

/// Shortens the step when w - Z'a consists of rounding errors of f times the step.
void FactorSearch::shorten_step() {
  step_ *= 1.0 / (kStepGrowth * kStepGrowth);
  longest_step_ = step_;
  rounded_steps_ = 0;
  set_anchor();
}

void FactorSearch::set_anchor() {
  response_.set_anchor(now_.a, step_);
  least_newton_gap_ = std::numeric_limits<double>::infinity();
  const Vector before = now_.a;
  now_.find(response_, f_, context_);
  follow(before);
}

/// Updates v = Z'a from that of `before`.
void FactorSearch::follow(ConstSpan before) {
  std::vector<Index> changed;
  Vector change;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (now_.a[i] == before[i]) continue;
    changed.push_back(static_cast<Index>(i));
    change.push_back(now_.a[i] - before[i]);
  }
  Z_.add_rows(changed, change, v_, context_);
}

/// One Newton step, shortened until the derivative along it is at most half of the initial one.
void FactorSearch::newton_step() {
  constexpr double flat_enough = 0.5;
  constexpr int most_trials = 20;
  Vector g(w_.size());
  for (std::size_t c = 0; c < g.size(); ++c) g[c] = w_[c] - v_[c];
  const Vector p = newton_direction(Z_, now_.slope, set_, g, context_);
  const double start_slope = inner_product(g, p);
  ++steps_;
  if (!(start_slope < 0.0)) {
    stuck_ = !response_.proximal();
    return;
  }
  Vector Zp(f_.size());
  Z_.multiply(p, Zp, context_);
  const double wp = inner_product(w_, p);
  const double pp = inner_product(p, p);

  FactorAnswer next = now_;
  Vector f(f_.size());
  const double t = flat_step(start_slope, flat_enough, most_trials, [&](double trial) {
    for (std::size_t i = 0; i < f.size(); ++i) f[i] = f_[i] + trial * Zp[i];
    next.find(response_, f, context_);
    return wp + trial * pp - inner_product(Zp, next.a);
  });
  for (std::size_t c = 0; c < w_.size(); ++c) w_[c] += t * p[c];
  f_ = std::move(f);
  std::swap(now_, next);
  follow(next.a);
}

}  // namespace

SemismoothNewton::SemismoothNewton(const Problem& problem, const DualSet& set)
    : problem_(problem), set_(set), response_(problem, set) {}

void SemismoothNewton::combine(ConstSpan d, const Context& context) {
  Z_ = WeightedColumns();  // so that the next factor may use its memory
  Z_ = WeightedColumns::of(*problem_.bank.combined(d), problem_.bias == Bias::penalised, context);
}

InnerResult SemismoothNewton::solve(const ExactProduct& exact, const InnerGap& gap,
                                    double gap_target, MutableSpan a, MutableSpan z,
                                    const Context& context) {
  const SerialBlas serial;
  FactorSearch search(problem_, set_, Z_, response_, exact, gap, context);
  const double step = warm_ ? kWarmStep : kColdStep;
  warm_ = true;
  return search.run(gap_target, step, a, z);
}

}  // namespace kernmix
