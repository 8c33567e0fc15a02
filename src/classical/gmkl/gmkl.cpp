#include "kernmix/classical/gmkl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/blas_threads.hpp"
#include "base/memory/memory_text.hpp"
#include "base/memory/room.hpp"
#include "kernmix/bank/build.hpp"
#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "weights/oracle.hpp"

namespace kernmix {
namespace {

/// Relative to J; small, because the error of the slope is the square root of the error of the
/// inner problem.
constexpr double inner_accuracy = 1e-11;
constexpr double armijo = 1e-4;
constexpr int most_gmkl_halvings = 40;

/// One weight vector with J, its slope and the inner solution.
struct GmklPoint {
  Vector d;
  Vector a;
  double bias = 0.0;
  double value = 0.0;
  double inner_gap = 0.0;
  Vector slope;
  double slope_unit = 0.0;  ///< the larger part of a slope, see GmklSolution::stationarity
};

/// The inner problem at d: a plain SVM on K = K(d).
void solve_inner(const GmklProblem& problem, const Matrix& K, const Vector& start,
                 const Context& context, GmklPoint& point) {
  const auto bank = dense_bank({K});
  const Problem inner{*bank, problem.loss, Fixed{{1.0}}, problem.y, problem.C, problem.bias};
  SvmOracle oracle(inner);
  if (!start.empty()) oracle.start_from(start);
  const Vector unit = {1.0};
  // The first solution gives the scale for the accuracy of the second one.
  oracle.solve(unit, inner_accuracy * std::abs(oracle.upper_value()), context);
  oracle.solve(unit, inner_accuracy * std::abs(oracle.upper_value()), context);
  point.a = oracle.a();
  point.inner_gap = oracle.inner_gap();
  point.value = oracle.upper_value();
  point.bias =
      loss_at(problem.loss, problem.bias, problem.y, oracle.z(), point.a, problem.C).bias[0];
}

/// slope_m = r'_m - 1/2 a' (dK/dd_m) a
void measure_slope(const KernelFamily& kernel, const WeightPenalty& penalty, const Matrix& K,
                   const Context& context, GmklPoint& point) {
  Vector forms(point.d.size());
  kernel.derivatives(point.d, K, point.a, forms, context);
  point.slope.resize(point.d.size());
  std::visit([&](const auto& r) { r.slope(point.d, point.slope); }, penalty);
  for (std::size_t m = 0; m < forms.size(); ++m) {
    const double fit = 0.5 * forms[m];
    point.slope_unit = std::max({point.slope_unit, std::abs(point.slope[m]), std::abs(fit)});
    point.slope[m] -= fit;
  }
}

GmklPoint gmkl_point(const GmklProblem& problem, Vector d, const Vector& start,
                     const Context& context) {
  GmklPoint point;
  point.d = std::move(d);
  const Matrix K = problem.kernel.at(point.d, context);
  solve_inner(problem, K, start, context, point);
  point.value += std::visit([&](const auto& r) { return r.value(point.d); }, problem.penalty);
  measure_slope(problem.kernel, problem.penalty, K, context, point);
  return point;
}

/// The projected gradient |max(d - slope, 0) - d|_inf with scaled d and slope.
double stationarity(const GmklPoint& point) {
  const double d_unit = std::ranges::max(point.d);
  double largest = 0.0;
  for (std::size_t m = 0; m < point.d.size(); ++m) {
    if (point.slope[m] == 0.0) continue;
    double violation = std::abs(point.slope[m]) / point.slope_unit;
    if (point.slope[m] > 0.0) {
      violation = d_unit > 0.0 ? std::min(violation, point.d[m] / d_unit) : 0.0;
    }
    largest = std::max(largest, violation);
  }
  return largest;
}

/// A step that moves no weight by more than the largest one.
double first_step(const GmklPoint& point) {
  const double largest = std::ranges::max(point.d);
  return (largest > 0.0 ? largest : 1.0) / point.slope_unit;
}

/// s's / s'y of the last step, or the initial step if it is unusable.
double barzilai_borwein(const GmklPoint& before, const GmklPoint& now) {
  double ss = 0.0;
  double sy = 0.0;
  for (std::size_t m = 0; m < now.d.size(); ++m) {
    const double s = now.d[m] - before.d[m];
    ss += s * s;
    sy += s * (now.slope[m] - before.slope[m]);
  }
  return sy > 1e-12 * ss ? ss / sy : first_step(now);
}

/// Backtracks along max(d - step slope, 0) - d. Empty if no step decreases J.
std::optional<GmklPoint> descend(const GmklProblem& problem, double step, const GmklPoint& point,
                                 const Context& context) {
  Vector direction(point.d.size());
  double slope = 0.0;
  for (std::size_t m = 0; m < direction.size(); ++m) {
    direction[m] = std::max(point.d[m] - step * point.slope[m], 0.0) - point.d[m];
    slope += direction[m] * point.slope[m];
  }
  if (!(slope < 0.0)) return {};
  double t = 1.0;
  for (int halving = 0; halving < most_gmkl_halvings && !context.should_stop();
       ++halving, t *= 0.5) {
    Vector d(direction.size());
    for (std::size_t m = 0; m < d.size(); ++m) d[m] = point.d[m] + t * direction[m];
    GmklPoint next = gmkl_point(problem, std::move(d), point.a, context);
    // Both values are upper bounds: differences within the inner gap are ignored.
    if (next.value <= point.value + armijo * t * slope + next.inner_gap) return next;
  }
  return {};
}

void check_start(ConstSpan start, Index M) {
  const bool valid = length(start) == M && std::ranges::all_of(start, [](double w) {
                       return w >= 0.0 && std::isfinite(w);
                     });
  if (!valid) throw ParameterError(fmt::format("the start must be {} finite weights >= 0", M));
  if (std::ranges::max(start) == 0.0) {
    throw ParameterError(
        "the start must have a weight > 0: with d = 0 the kernel does not distinguish samples");
  }
}

void check_gmkl(const GmklProblem& problem, const GmklOptions& options, ConstSpan start) {
  const auto n = static_cast<std::size_t>(problem.kernel.samples());
  if (n < 2) throw DataError(fmt::format("there must be at least 2 samples, got {}", n));
  if (problem.y.size() != n || problem.C.size() != n) {
    throw ParameterError(fmt::format("y and C must have {} entries, got {} and {}", n,
                                     problem.y.size(), problem.C.size()));
  }
  if (!(options.tolerance > 0.0)) {
    throw ParameterError(fmt::format("the tolerance must be > 0, got {}", options.tolerance));
  }
  const Index M = problem.kernel.weights();
  std::visit([&](const auto& r) { r.check(M); }, problem.penalty);
  check_start(start, M);
  if (on_distances(problem.loss)) {
    throw ParameterError(
        fmt::format("{} needs kernel weights that sum to one, unlike those of generalised MKL; use "
                    "one-class, which is the same model for kernels with a constant diagonal, such "
                    "as products of Gaussian kernels",
                    loss_text(problem.loss)));
  }
  if (joins_classes(problem.loss)) {
    throw ParameterError(
        fmt::format("{} trains all classes together, and generalised MKL only two classes: choose "
                    "hinge, with one model for each class",
                    loss_text(problem.loss)));
  }
  check_loss(problem.loss, problem.bias, problem.y, problem.C);
}

/// The reason to stop before the next step, if any.
std::optional<Status> reason_to_stop(const GmklPoint& point, Index steps,
                                     const GmklOptions& options, const Context& context) {
  if (stationarity(point) <= options.tolerance) return Status::converged;
  if (context.should_stop()) {
    return context.is_cancelled() ? Status::interrupted : Status::time_limit;
  }
  if (steps >= options.max_iterations) return Status::iteration_limit;
  return {};
}

GmklSolution gmkl_solution(GmklPoint point, Status status, std::vector<double> objectives) {
  GmklSolution solution;
  solution.stationarity = stationarity(point);
  solution.d = std::move(point.d);
  solution.a = std::move(point.a);
  solution.bias = point.bias;
  solution.objective = point.value;
  solution.inner_gap = point.inner_gap;
  solution.slope = std::move(point.slope);
  solution.status = status;
  solution.objectives = std::move(objectives);
  return solution;
}

void require_matrices(Index n, const Context& context) {
  const auto needed = static_cast<double>(gmkl_bytes(n));
  if (has_room(context, needed)) return;
  throw ResourceError(fmt::format(
      "generalised MKL of {} samples keeps matrices of {}, and {} may be used; use fewer "
      "samples or allow more memory",
      n, memory_text(needed), memory_text(context.memory_bytes)));
}

}  // namespace

std::size_t gmkl_bytes(Index n) {
  constexpr std::size_t matrices = 4;  // K(d) of two points, the bank of one, a product of its size
  return matrices * static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(double);
}

double gmkl_stationarity(const KernelFamily& kernel, const WeightPenalty& penalty, const Vector& d,
                         const Vector& a, const Context& context) {
  require_matrices(kernel.samples(), context);
  GmklPoint point;
  point.d = d;
  point.a = a;
  measure_slope(kernel, penalty, kernel.at(d, context), context, point);
  return stationarity(point);
}

GmklSolution solve_gmkl(const GmklProblem& problem, const GmklOptions& options,
                        const Context& context) {
  const SerialBlas serial_blas;
  const auto M = static_cast<std::size_t>(problem.kernel.weights());
  Vector start = options.start;
  if (start.empty()) start.assign(M, 1.0 / static_cast<double>(M));
  check_gmkl(problem, options, start);
  require_matrices(problem.kernel.samples(), context);

  GmklPoint point = gmkl_point(problem, std::move(start), {}, context);
  std::vector<double> objectives = {point.value};
  double step = first_step(point);
  std::optional<Status> stop;
  for (Index k = 0; !(stop = reason_to_stop(point, k, options, context)); ++k) {
    std::optional<GmklPoint> next = descend(problem, step, point, context);
    if (!next) {
      // No step decreases J, unless the line search was interrupted.
      stop = context.should_stop() ? reason_to_stop(point, k, options, context) : Status::stalled;
      break;
    }
    step = barzilai_borwein(point, *next);
    point = std::move(*next);
    objectives.push_back(point.value);
    context.report({"solve", k + 1, 0, 1.0});
  }
  return gmkl_solution(std::move(point), *stop, std::move(objectives));
}

}  // namespace kernmix
