#include "problem/task_loss.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rounding.hpp"
#include "kernmix/error.hpp"
#include "loss/any.hpp"
#include "loss/dual_box.hpp"
#include "loss/separable.hpp"

namespace kernmix {
namespace {

/// Bound on the change of the decision value due to a shift of z by at most `error` and rounding of
/// z + b and z + b - y, rounded so that adding it moves the value at least that far.
double decision_error(double z, double bias, double y, double error) {
  const double decision = z + bias;
  const double moved = error + std::min(std::abs(z), unit_roundoff * std::abs(decision)) +
                       2.0 * unit_roundoff * std::abs(decision - y);
  return moved == 0.0 ? 0.0 : moved + 2.0 * unit_roundoff * std::abs(decision);
}

void check_length(const Problem& problem, Index k, ConstSpan a) {
  const Index n = length(problem.task(k).y);
  const Index K = problem.functions();
  if (length(a) == n * K) return;
  if (K > 1) {
    throw ParameterError(
        fmt::format("the dual matrix A must be {} x {}, got {} entries", n, K, a.size()));
  }
  const std::string what =
      problem.size() == 1 ? "the dual vector a" : fmt::format("the dual vector of task {}", k + 1);
  throw ParameterError(fmt::format("{} must have length {}, got {}", what, n, a.size()));
}

}  // namespace

double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C, const LossPoint& point,
                   ConstSpan z, ConstSpan z_error) {
  double sum = rounding(length(z), point.size);
  const auto separable = [&]<typename L>(const L& own) {
    if constexpr (IsSeparableLoss<L>) {
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double error = decision_error(z[i], point.bias[0], y[i], z_error[i]);
        const auto at = [&](double shift) {
          return own.value(y[i], z[i] + point.bias[0] + shift, C[i]);
        };
        const double highest = std::max({at(error), at(-error), at(0.0)});
        sum += highest - at(0.0) + rounding(0, highest);
      }
      return true;
    } else if constexpr (JoinsClasses<L>) {
      sum = own.of(rule, y, C).excess(point, z, z_error);
      return true;
    } else {
      return false;
    }
  };
  if (visit(separable, loss)) return sum;
  const DualSet set = dual_set(loss, rule, y, C);
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z_error[i] == 0.0) continue;
    sum += z_error[i] * std::max(std::abs(set.lower[i]), std::abs(set.upper[i]));
  }
  if (!std::isfinite(sum)) {
    throw ParameterError("this loss has no certificate from bounds on its decision values");
  }
  return sum;
}

TaskLoss::TaskLoss(const Problem& problem, Index k)
    : problem_(problem), k_(k), task_(problem.task(k)), set_(dual_set(problem, k)) {}

Vector TaskLoss::feasible(ConstSpan a) const {
  check_length(problem_, k_, a);
  return visit(
      [&]<typename L>(const L& own) {
        if constexpr (JoinsClasses<L>) {
          return own.of(problem_.bias, task_.y, task_.C).feasible(a);
        } else {
          return feasible_in(set_, task_.C, a);
        }
      },
      problem_.loss);
}

double TaskLoss::gain(ConstSpan a) const {
  return dual_gain(problem_.loss, problem_.bias, task_.y, a, task_.C);
}

double TaskLoss::gain_size(ConstSpan a) const {
  return kernmix::gain_size(problem_.loss, problem_.bias, task_.y, a, task_.C);
}

bool TaskLoss::may_scale() const { return kernmix::may_scale(set_); }

double TaskLoss::longest_scale(ConstSpan a) const { return kernmix::longest_scale(set_, a); }

LossPoint TaskLoss::at(ConstSpan z, ConstSpan a) const {
  return loss_at(problem_.loss, problem_.bias, task_.y, z, a, task_.C);
}

double TaskLoss::excess(const LossPoint& point, ConstSpan z, ConstSpan error) const {
  return loss_excess(problem_.loss, problem_.bias, task_.y, task_.C, point, z, error);
}

}  // namespace kernmix
