#include "svm/newton/dual_newton.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/cholesky.hpp"
#include "base/samples.hpp"
#include "loss/any.hpp"
#include "problem/without_end.hpp"

namespace kernmix {
namespace {

constexpr int most_steps = 100;
constexpr int most_halvings = 30;

/// The gain with its derivatives.
struct SmoothGain {
  Vector slope;
  Vector curvature;
};

SmoothGain smooth_gain(const Problem& problem, ConstSpan a) {
  SmoothGain gain{Vector(a.size()), Vector(a.size())};
  visit(
      [&]<typename L>(const L& loss) {
        if constexpr (HasSmoothDual<L>) {
          for (std::size_t i = 0; i < a.size(); ++i) {
            gain.slope[i] = loss.dual_slope(problem.y()[i], a[i], problem.C()[i]);
            gain.curvature[i] = loss.dual_curvature(problem.y()[i], a[i], problem.C()[i]);
          }
        }
      },
      problem.loss);
  return gain;
}

/// The number next to `bound` inside the box, which is open.
double just_inside(double bound, double other) {
  const double inside = bound + 1e-300 * (other - bound);
  return inside != bound ? inside : std::nextafter(bound, other);
}

/// Moves variables at a bound to the centre of their box, so that the first step starts in the
/// interior.
void leave_bounds(const DualSet& set, MutableSpan a) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] <= set.lower[i] || a[i] >= set.upper[i]) a[i] = 0.5 * (set.lower[i] + set.upper[i]);
  }
}

/// a + move, damped so that at least 1 % of the distance to the bound remains, or exponentially
/// less if the move goes far beyond the bound. Equal to a + move to first order.
double move_inside(double a, double move, double lower, double upper) {
  const double bound = move > 0.0 ? upper : lower;
  const double other = move > 0.0 ? lower : upper;
  if (move == 0.0 || !std::isfinite(bound)) return a + move;
  const double part = move / (bound - a);
  if (part < 0.99) return a + move;
  const double moved = bound - std::min(0.01, std::exp(-part)) * (bound - a);
  const double last = just_inside(bound, other);
  return move > 0.0 ? std::min(moved, last) : std::max(moved, last);
}

}  // namespace

DualNewton::DualNewton(const Problem& problem, const DualSet& set)
    : problem_(problem),
      set_(set),
      constant_(problem.bias == Bias::penalised ? 1.0 : 0.0),
      K_(length(problem.y()), length(problem.y())),
      diagonal_(problem.y().size()) {}

void DualNewton::combine(ConstSpan d, const Context& context) {
  K_.resize(length(diagonal_), length(diagonal_));  // a step that was not finished has lost it
  problem_.bank.combined(d)->matrix(all_samples(length(diagonal_)), as_span(K_), context);
  if (constant_ != 0.0) K_.array() += constant_;
  as_vector(MutableSpan(diagonal_)) = K_.diagonal();
}

DualNewton::Point DualNewton::evaluate(Vector a, const InnerGap& gap) const {
  Point point{std::move(a), Vector(diagonal_.size()), 0.0, 0.0};
  const auto at = as_vector(ConstSpan(point.a));
  as_vector(MutableSpan(point.product)).noalias() = K_.selfadjointView<Eigen::Upper>() * at;
  Vector z = point.product;
  const double bias = constant_ * at.sum();
  for (double& value : z) value -= bias;
  point.value = 0.5 * at.dot(as_vector(ConstSpan(z))) -
                dual_gain(problem_.loss, problem_.bias, problem_.y(), point.a, problem_.C());
  point.gap = gap(point.a, z);
  return point;
}

bool DualNewton::solve_system(ConstSpan curvature, std::vector<Vector>& right,
                              const Context& context) {
  const auto diagonal = as_vector(ConstSpan(diagonal_));
  K_.diagonal() = diagonal + as_vector(curvature);
  // A kernel that is indefinite by rounding needs a ridge; it only affects the direction.
  auto factor = cholesky_with_ridge(std::move(K_), {0.0, 1e-13 * diagonal.sum(), 10.0},
                                    of_use_if_finished(context));
  if (factor) {
    for (Vector& column : right) factor->solve_in_place(as_vector(MutableSpan(column)));
    K_ = std::move(*factor).restored();
  }
  K_.diagonal() = diagonal;
  return factor.has_value();
}

/// One Newton step, shortened until the objective decreases. \returns false if it never does
bool DualNewton::improve(Point& point, const InnerGap& gap, const Context& context) {
  const SmoothGain gain = smooth_gain(problem_, point.a);
  const bool inside =
      std::ranges::all_of(gain.curvature, [](double c) { return std::isfinite(c); });
  if (!inside) return false;
  Vector residual = gain.slope;
  for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= point.product[i];
  std::vector<Vector> solved = {residual};
  if (set_.balanced()) solved.emplace_back(residual.size(), 1.0);
  if (!solve_system(gain.curvature, solved, context)) return false;
  auto step = as_vector(MutableSpan(solved[0]));
  if (set_.balanced()) {
    const auto ones = as_vector(ConstSpan(solved[1]));
    step -= (step.sum() / ones.sum()) * ones;
  }
  const double decrease = step.dot(as_vector(ConstSpan(residual)));
  double t = 1.0;
  for (int halving = 0; halving < most_halvings; ++halving, t *= 0.5) {
    Vector trial(point.a.size());
    for (std::size_t i = 0; i < trial.size(); ++i) {
      trial[i] = move_inside(point.a[i], t * solved[0][i], set_.lower[i], set_.upper[i]);
    }
    make_feasible(set_, trial);
    Point next = evaluate(std::move(trial), gap);
    // Near the optimum the objective no longer distinguishes steps, but the gap does.
    if (next.value > point.value - 1e-4 * t * decrease && next.gap >= point.gap) continue;
    point = std::move(next);
    return true;
  }
  return false;
}

InnerResult DualNewton::solve(const ExactProduct& exact, const InnerGap& gap, double gap_target,
                              MutableSpan a, MutableSpan z, const Context& context) {
  leave_bounds(set_, a);
  make_feasible(set_, a);
  Point point = evaluate(Vector(a.begin(), a.end()), gap);
  const double rounding = 1e-14 * std::abs(point.value);
  gap_target = std::min(gap_target, std::max(inner_gap_reduction * point.gap, rounding));
  InnerResult result;
  while (point.gap > gap_target && result.iterations < most_steps && !context.should_stop()) {
    const double before = point.gap;
    const double value = point.value;
    bool improved = false;
    const auto step = [&] { improved = improve(point, gap, context); };
    if (!finished_in_time(context, step) || !improved) break;
    ++result.iterations;
    const bool lower = point.value < value - 1e-13 * std::abs(value);
    if (!lower && point.gap > 0.9 * before) break;
  }
  std::ranges::copy(point.a, a.begin());
  exact(a, z);
  result.gap = gap(a, z);
  return result;
}

}  // namespace kernmix
