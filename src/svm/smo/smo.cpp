#include "kernmix/svm/smo.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "svm/newton/free_newton.hpp"
#include "svm/smo/active_set.hpp"
#include "svm/smo/row_sums.hpp"

namespace kernmix {
namespace {

using smo::ActiveSet;

/// The gap is roughly proportional to the violation: the next target of the violation is the
/// current one times target / gap, within these bounds to limit the effect of a bad prediction.
constexpr double least_reduction = 0.03;
constexpr double largest_reduction = 0.5;

/// Number of rounds without a smaller gap, violation or objective, or of refreshes that do not
/// halve the gap, after which only rounding is assumed to remain.
constexpr Index patience = 20;
constexpr Index weak_refreshes_allowed = 3;

class SmoSolver {
 public:
  SmoSolver(const BoxProblem& problem, const ExactProduct& exact, const InnerGap& gap,
            const SmoOptions& options, MutableSpan a, MutableSpan z, const Context& context)
      : problem_(problem),
        exact_(exact),
        gap_(gap),
        options_(options),
        a_(a),
        z_(z),
        context_(context),
        active_(problem),
        gradient_(a.size()),
        reference_(a.size(), 0.0),
        max_iterations_(options.max_iterations > 0 ? options.max_iterations
                                                   : std::max<Index>(10'000'000, 100 * problem.n)) {
  }

  SmoResult run() {
    start();
    while (!finished()) {
      choose_tolerance();
      choose_active();
      const bool crawls = !descend();
      synchronise();
      if (crawls) accelerate();
    }
    return result_;
  }

 private:
  void start();
  void set_target();
  bool finished();
  void choose_tolerance();
  void choose_active();
  bool descend();
  bool advance(Index iterations);
  void synchronise();
  void accelerate();
  void follow_changes();
  void refresh();
  void measure();
  void note_progress();
  [[nodiscard]] double violation() const;
  [[nodiscard]] double objective() const;
  [[nodiscard]] double violation_floor() const;
  [[nodiscard]] bool exhausted() const;

  const BoxProblem& problem_;
  const ExactProduct& exact_;
  const InnerGap& gap_;
  const SmoOptions& options_;
  MutableSpan a_;
  MutableSpan z_;
  const Context& context_;
  ActiveSet active_;
  Vector gradient_;   ///< K reference - linear, of all variables
  Vector reference_;  ///< the point of gradient_
  double gap_target_ = 0.0;
  double largest_diagonal_ = 0.0;
  Index max_iterations_;
  double tolerance_ = 0.0;  ///< violation at which the current round ends
  bool exact_now_ = false;  ///< gradient_ is from ExactProduct and a is unchanged since
  bool stuck_ = false;      ///< the last step changed nothing
  bool stopped_ = false;    ///< the context asked to stop
  double best_gap_ = std::numeric_limits<double>::infinity();
  double best_objective_ = std::numeric_limits<double>::max();
  double best_violation_ = std::numeric_limits<double>::infinity();
  double refreshed_gap_ = std::numeric_limits<double>::infinity();
  Index idle_rounds_ = 0;
  Index weak_refreshes_ = 0;
  SmoResult result_;
};

void SmoSolver::start() {
  std::transform(problem_.linear.begin(), problem_.linear.end(), gradient_.begin(),
                 [](double gain) { return -gain; });
  follow_changes();
  active_.activate_all(a_, gradient_);
  for (Index k = 0; k < problem_.n; ++k) {
    largest_diagonal_ = std::max(largest_diagonal_, double{problem_.K[k * problem_.n + k]});
  }
  set_target();
}

void SmoSolver::set_target() {
  gap_target_ = options_.gap_target;
  if (options_.gap_reduction >= 1.0) return;
  measure();
  const double rounding = 1e-14 * std::abs(objective());
  gap_target_ = std::min(gap_target_, std::max(options_.gap_reduction * result_.gap, rounding));
}

/// True at the target, confirmed with the exact gradient, or if no progress is possible.
bool SmoSolver::finished() {
  measure();
  note_progress();
  stopped_ = context_.should_stop();
  if (result_.gap > gap_target_ && !exhausted()) return false;
  if (!exact_now_) refresh();
  result_.converged = result_.gap <= gap_target_;
  return result_.converged || exhausted();
}

bool SmoSolver::exhausted() const {
  return stopped_ || stuck_ || result_.violation <= violation_floor() ||
         result_.iterations >= max_iterations_ || idle_rounds_ >= patience ||
         weak_refreshes_ >= weak_refreshes_allowed;
}

void SmoSolver::choose_tolerance() {
  const double wanted = gap_target_ / result_.gap;
  const double reduction = std::clamp(wanted, least_reduction, largest_reduction);
  tolerance_ = std::max(reduction * result_.violation, violation_floor());
}

/// Removed variables may violate optimality by up to a quarter of the tolerance: an active set at
/// the tolerance then has a total violation of at most 1.5 times the tolerance, which is progress.
void SmoSolver::choose_active() {
  active_.load(a_, gradient_);
  if (active_.full() || active_.holds_without_dropped(a_, gradient_, 0.25 * tolerance_)) return;
  active_.activate_all(a_, gradient_);
}

/// One round: pairs are moved until the largest violation among the active variables is small.
/// \returns false if one round was not enough
bool SmoSolver::descend() {
  const Index round = 20 * problem_.n + 1000;
  const Index period = std::min<Index>(problem_.n, 1000);
  const Index last = std::min(max_iterations_, result_.iterations + round);
  while (result_.iterations < last) {
    if (!advance(std::min(period, last - result_.iterations))) return true;
    stopped_ = context_.should_stop();
    if (stopped_) return true;
    active_.choose_sides();
    if (options_.shrinking) active_.shrink(a_);
  }
  return result_.iterations == max_iterations_;
}

/// \returns false at the end of the round
bool SmoSolver::advance(Index iterations) {
  for (Index k = 0; k < iterations; ++k) {
    const smo::Pair pair = active_.select_pair();
    if (pair.violation <= tolerance_) return false;
    ++result_.iterations;
    exact_now_ = false;
    stuck_ = !active_.move(pair);
    if (stuck_) return false;
  }
  return true;
}

/// Updates the point and the full gradient from the active variables.
void SmoSolver::synchronise() {
  active_.store(a_);
  if (!active_.full()) {
    follow_changes();
    return;
  }
  active_.store_gradient(gradient_);
  std::copy(a_.begin(), a_.end(), reference_.begin());
}

/// Newton's method on the free variables.
void SmoSolver::accelerate() {
  if (!smo::free_newton(problem_, a_, gradient_, context_)) return;
  std::copy(a_.begin(), a_.end(), reference_.begin());
  exact_now_ = false;
}

/// gradient += K (a - reference)
void SmoSolver::follow_changes() {
  Vector change(a_.begin(), a_.end());
  for (Index k = 0; k < problem_.n; ++k) change[k] -= reference_[k];
  add_row_sums(problem_.K, change, gradient_, context_);
  std::copy(a_.begin(), a_.end(), reference_.begin());
}

/// Replaces the maintained gradient by the exact one, and measures there.
void SmoSolver::refresh() {
  exact_(a_, z_);
  ++result_.refreshes;
  for (Index k = 0; k < problem_.n; ++k) gradient_[k] = z_[k] - problem_.linear[k];
  exact_now_ = true;
  stuck_ = false;
  measure();
  if (result_.gap > 0.5 * refreshed_gap_) ++weak_refreshes_;
  refreshed_gap_ = result_.gap;
}

void SmoSolver::measure() {
  if (!exact_now_) {
    for (Index k = 0; k < problem_.n; ++k) z_[k] = gradient_[k] + problem_.linear[k];
  }
  result_.gap = gap_(a_, z_);
  result_.violation = violation();
}

void SmoSolver::note_progress() {
  constexpr double worth = 0.9;
  constexpr double worth_in_objective = 1e-8;
  const double value = objective();
  const bool progress = result_.gap < worth * best_gap_ ||
                        result_.violation < worth * best_violation_ ||
                        value < best_objective_ - worth_in_objective * std::abs(best_objective_);
  idle_rounds_ = progress ? 0 : idle_rounds_ + 1;
  best_objective_ = std::min(best_objective_, value);
  best_gap_ = std::min(best_gap_, result_.gap);
  best_violation_ = std::min(best_violation_, result_.violation);
}

/// The largest violation of any block, at least 0.
double SmoSolver::violation() const {
  smo::Intervals intervals;
  for (Index k = 0; k < problem_.n; ++k) {
    intervals[smo::block_of(problem_, k)].include(
        smo::derivatives(problem_, k, a_[k], gradient_[k]));
  }
  double largest = 0.0;
  for (const smo::Interval& interval : intervals) {
    largest = std::max(largest, interval.violation());
  }
  return largest;
}

/// 1/2 a' K a - linear' a + sum kink |a|.
double SmoSolver::objective() const {
  double sum = 0.0;
  for (Index k = 0; k < problem_.n; ++k) {
    sum += 0.5 * a_[k] * (gradient_[k] - problem_.linear[k]);
    if (!problem_.kink.empty()) sum += problem_.kink[k] * std::abs(a_[k]);
  }
  return sum;
}

/// The larger of the option and the expected rounding error of K a.
double SmoSolver::violation_floor() const {
  const double square = std::inner_product(a_.begin(), a_.end(), a_.begin(), 0.0);
  const double rounding = std::numeric_limits<double>::epsilon() * largest_diagonal_;
  return std::max(options_.violation_floor, rounding * std::sqrt(square));
}

}  // namespace

SmoResult solve_smo(const BoxProblem& problem, const ExactProduct& exact, const InnerGap& gap,
                    const SmoOptions& options, MutableSpan a, MutableSpan z,
                    const Context& context) {
  return SmoSolver(problem, exact, gap, options, a, z, context).run();
}

}  // namespace kernmix
