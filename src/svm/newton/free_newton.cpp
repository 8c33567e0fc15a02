#include "svm/newton/free_newton.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/blas_threads.hpp"
#include "base/cholesky.hpp"
#include "base/symmetric.hpp"
#include "svm/smo/optimality.hpp"
#include "svm/smo/working_set.hpp"

namespace kernmix::smo {
namespace {

/// A factorisation takes |F|^3 / 3 operations and 8 |F|^2 bytes.
constexpr Index kMostFree = 3000;
/// Number of variables that may stop before K_FF is factorised again.
constexpr Index kMostStops = 50;
/// Largest relative change of a fixed sum by a step.
constexpr double kStepRounding = 1e-10;

double kink_of(const BoxProblem& problem, Index k) {
  return problem.kink.empty() ? 0.0 : problem.kink[k];
}

std::vector<Index> free_variables(const BoxProblem& problem, ConstSpan a) {
  std::vector<Index> free;
  for (Index k = 0; k < problem.n; ++k) {
    const bool inside = problem.lower[k] < a[k] && a[k] < problem.upper[k];
    if (inside && (a[k] != 0.0 || kink_of(problem, k) == 0.0)) free.push_back(k);
  }
  return free;
}

/// L of K_FF + ridge I = L L' with the smallest ridge that makes it positive definite in spite of
/// rounding. Nothing if the ridge is as large as K_FF, because steps would then solve another
/// problem.
std::optional<Cholesky> factorise(const BoxProblem& problem, const std::vector<Index>& free) {
  const Index f = length(free);
  RowMatrix S(f, f);
  for (Index r = 0; r < f; ++r) {
    const float* row = problem.K.data() + free[static_cast<std::size_t>(r)] * problem.n;
    for (Index c = 0; c <= r; ++c) S(r, c) = double{row[free[static_cast<std::size_t>(c)]]};
  }
  const double largest = std::max(S.diagonal().maxCoeff(), std::numeric_limits<double>::min());
  return cholesky_with_ridge(std::move(S), {1e-9 * largest, 9e-9 * largest, 10.0, 0.1 * largest});
}

/// The minimiser of the objective along the step: at a kink, at a bound or between.
struct LineMinimum {
  double t = 0.0;
  Index stop = -1;     ///< position in F of the variable that stops there, -1: none
  double value = 0.0;  ///< of that variable
};

/// The slope along the step grows with `curvature` and jumps up at every kink.
LineMinimum line_minimum(const BoxProblem& problem, const std::vector<Index>& free, ConstSpan a,
                         const Eigen::VectorXd& step, double slope, double curvature) {
  struct Event {
    double t;
    Index at;
    bool bound;
  };
  std::vector<Event> events;
  for (Index k = 0; k < length(free); ++k) {
    const Index i = free[static_cast<std::size_t>(k)];
    if (step[k] == 0.0) continue;
    const double bound = step[k] > 0.0 ? problem.upper[i] : problem.lower[i];
    events.push_back({(bound - a[i]) / step[k], k, true});
    if (kink_of(problem, i) > 0.0 && a[i] * step[k] < 0.0) {
      events.push_back({-a[i] / step[k], k, false});
    }
  }
  std::ranges::sort(events, {}, &Event::t);
  const auto root = [&] {
    return curvature > 0.0 ? -slope / curvature : std::numeric_limits<double>::infinity();
  };
  for (const Event& event : events) {
    if (root() <= event.t) break;
    const Index i = free[static_cast<std::size_t>(event.at)];
    if (event.bound) {
      return {event.t, event.at, step[event.at] > 0.0 ? problem.upper[i] : problem.lower[i]};
    }
    slope += 2.0 * kink_of(problem, i) * std::abs(step[event.at]);
    if (root() <= event.t) return {event.t, event.at, 0.0};
  }
  return {std::isfinite(root()) ? root() : 0.0, -1, 0.0};
}

/// The free variables, their factor, and the equations of steps: fixed sums of the blocks, and zero
/// for variables that have reached a bound or stay at a kink.
class FreeSet {
 public:
  FreeSet(const BoxProblem& problem, std::vector<Index> free, Cholesky factor)
      : problem_(problem),
        free_(std::move(free)),
        factor_(std::move(factor)),
        E_(length(free_), most_blocks + kMostStops),
        Y_(length(free_), most_blocks + kMostStops),
        gram_(most_blocks + kMostStops, most_blocks + kMostStops) {
    for (Index c = 0; c < most_blocks; ++c) {
      Eigen::VectorXd members(length(free_));
      for (Index k = 0; k < length(free_); ++k) {
        members[k] = block_of(problem_, free_[static_cast<std::size_t>(k)]) == c ? 1.0 : 0.0;
      }
      if (!members.isZero(0.0)) hold(members);
    }
    sums_ = held_;
  }

  /// One step. \returns the end point; t = 0 if no descent is possible
  LineMinimum step(MutableSpan a, MutableSpan gradient);

  /// Fixes variable `at` of F in all further steps.
  void stop(Index at) {
    hold(Eigen::VectorXd::Unit(length(free_), at));
    stopped_.push_back(at);
  }

 private:
  /// Adds the equation e'step = 0.
  void hold(const Eigen::VectorXd& e) {
    E_.col(held_) = e;
    Y_.col(held_) = factor_.solve(e);
    gram_.col(held_).head(held_ + 1) = E_.leftCols(held_ + 1).transpose() * Y_.col(held_);
    gram_.row(held_).head(held_) = gram_.col(held_).head(held_).transpose();
    ++held_;
  }
  [[nodiscard]] Eigen::VectorXd direction(const Eigen::VectorXd& slope) const;
  void keep_sums(Eigen::VectorXd& step) const;

  const BoxProblem& problem_;
  std::vector<Index> free_;
  Cholesky factor_;
  Eigen::MatrixXd E_, Y_;  ///< the equations E'step = 0, and S^-1 E
  Eigen::MatrixXd gram_;   ///< E'S^-1 E
  Index held_ = 0;
  Index sums_ = 0;  ///< the first of them are sums of blocks
  std::vector<Index> stopped_;
};

/// The solution of the system in free_newton.hpp; 0 if the equations determine the step, so that
/// the solution is only rounding.
Eigen::VectorXd FreeSet::direction(const Eigen::VectorXd& slope) const {
  const auto E = E_.leftCols(held_);
  Eigen::VectorXd step = factor_.solve(-slope);
  step -=
      Y_.leftCols(held_) * solve_symmetric(gram_.topLeftCorner(held_, held_), E.transpose() * step);
  for (const Index k : stopped_) step[k] = 0.0;  // it is zero up to rounding
  const double broken = (E.transpose() * step).cwiseAbs().maxCoeff();
  if (!(broken <= kStepRounding * step.cwiseAbs().sum())) step.setZero();
  keep_sums(step);
  return step;
}

/// Distributes the rounding error of the fixed sums over the moving variables: over many steps it
/// would exceed the tolerance of a certificate.
void FreeSet::keep_sums(Eigen::VectorXd& step) const {
  const Eigen::VectorXd moving = (step.array() != 0.0).cast<double>();
  for (Index c = 0; c < sums_; ++c) {
    const double members = E_.col(c).dot(moving);
    if (members == 0.0) continue;
    step -= E_.col(c).dot(step) / members * E_.col(c).cwiseProduct(moving);
  }
}

LineMinimum FreeSet::step(MutableSpan a, MutableSpan gradient) {
  const Index f = length(free_);
  Eigen::VectorXd slope(f);
  for (Index k = 0; k < f; ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    slope[k] = gradient[i] + std::copysign(kink_of(problem_, i), a[i]);
  }
  const Eigen::VectorXd step = direction(slope);
  const double descent = slope.dot(step);
  if (!(descent < 0.0)) return {};
  Vector change(a.size(), 0.0);
  for (Index k = 0; k < f; ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    if (step[k] == 0.0) continue;
    add_row(step[k], problem_.K.data() + i * problem_.n, change.data(), problem_.n);
  }
  double curvature = 0.0;
  for (Index k = 0; k < f; ++k) curvature += step[k] * change[free_[static_cast<std::size_t>(k)]];
  const LineMinimum minimum = line_minimum(problem_, free_, a, step, descent, curvature);
  for (Index k = 0; k < f; ++k) {
    const Index i = free_[static_cast<std::size_t>(k)];
    const double moved = a[i] + minimum.t * step[k];
    a[i] =
        k == minimum.stop ? minimum.value : std::clamp(moved, problem_.lower[i], problem_.upper[i]);
  }
  for (std::size_t i = 0; i < change.size(); ++i) gradient[i] += minimum.t * change[i];
  return minimum;
}

}  // namespace

bool free_newton(const BoxProblem& problem, MutableSpan a, MutableSpan gradient,
                 const Context& context) {
  const SerialBlas serial;
  std::vector<Index> free = free_variables(problem, a);
  if (free.size() < 2 || length(free) > kMostFree) return false;
  std::optional<Cholesky> factor = factorise(problem, free);
  if (!factor) return false;
  FreeSet set(problem, std::move(free), std::move(*factor));
  bool moved = false;
  for (Index k = 0; k < kMostStops && !context.should_stop(); ++k) {
    const LineMinimum minimum = set.step(a, gradient);
    moved = moved || minimum.t > 0.0;
    if (minimum.stop >= 0) {
      set.stop(minimum.stop);
    } else if (minimum.t == 0.0 || minimum.t > 0.9) {
      break;  // the minimum over F, or no descent: only a line search that crosses kinks ends much
              // earlier
    }
  }
  return moved;
}

}  // namespace kernmix::smo
