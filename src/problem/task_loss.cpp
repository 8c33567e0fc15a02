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

/// How far a shift of z by at most `error` and rounding of z + b and z + b - y may move the
/// decision value, in numbers that move it at least as far when they are added to it.
double decision_error(double z, double bias, double y, double error) {
  const double decision = z + bias;
  const double moved = error + std::min(std::abs(z), unit_roundoff * std::abs(decision)) +
                       2.0 * unit_roundoff * std::abs(decision - y);
  return moved == 0.0 ? 0.0 : moved + 2.0 * unit_roundoff * std::abs(decision);
}

void check_length(const Problem& problem, Index k, ConstSpan a) {
  const Index n = length(problem.task(k).y);
  if (length(a) == n * problem.functions) return;
  if (problem.functions > 1) {
    throw ParameterError(fmt::format("the dual matrix A must be {} x {}, got {} entries", n,
                                     problem.functions, a.size()));
  }
  const std::string what =
      problem.size() == 1 ? "the dual vector a" : fmt::format("the dual vector of task {}", k + 1);
  throw ParameterError(fmt::format("{} must have length {}, got {}", what, n, a.size()));
}

}  // namespace

ClassTargets class_targets(const Problem& problem) {
  ClassTargets targets{{}, problem.functions, problem.C(), problem.bias};
  for (const double label : problem.y()) targets.y.push_back(static_cast<Index>(label));
  return targets;
}

double loss_excess(const Loss& loss, Bias rule, ConstSpan y, ConstSpan C, const LossPoint& point,
                   ConstSpan z, ConstSpan z_error) {
  double sum = rounding(length(z), point.size);
  const auto separable = [&]<typename L>(const L& own) {
    if constexpr (IsSeparableLoss<L>) {
      for (std::size_t i = 0; i < z.size(); ++i) {
        const double error = decision_error(z[i], point.bias, y[i], z_error[i]);
        const auto at = [&](double shift) {
          return own.value(y[i], z[i] + point.bias + shift, C[i]);
        };
        const double highest = std::max({at(error), at(-error), at(0.0)});
        sum += highest - at(0.0) + rounding(0, highest);
      }
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
    : problem_(problem), k_(k), task_(problem.task(k)) {
  if (problem.functions > 1) {
    own_ = class_targets(problem);
  } else {
    own_ = dual_set(problem, k);
  }
}

Matrix TaskLoss::by_classes(ConstSpan values) const {
  Matrix A(length(task_.y), problem_.functions);
  A.values.assign(values.begin(), values.end());
  return A;
}

Vector TaskLoss::feasible(ConstSpan a) const {
  check_length(problem_, k_, a);
  if (const auto* targets = std::get_if<ClassTargets>(&own_)) {
    return feasible_class_dual(*targets, by_classes(a)).values;
  }
  return feasible_in(std::get<DualSet>(own_), task_.C, a);
}

double TaskLoss::gain(ConstSpan a) const {
  if (const auto* targets = std::get_if<ClassTargets>(&own_)) {
    return class_gain(*targets, by_classes(a));
  }
  return dual_gain(problem_.loss, problem_.bias, task_.y, a, task_.C);
}

double TaskLoss::gain_size(ConstSpan a) const {
  if (problem_.functions > 1) return gain(a);  // no term is negative
  return kernmix::gain_size(problem_.loss, problem_.bias, task_.y, a, task_.C);
}

bool TaskLoss::may_scale() const {
  const auto* set = std::get_if<DualSet>(&own_);
  return set == nullptr || kernmix::may_scale(*set);
}

double TaskLoss::longest_scale(ConstSpan a) const {
  if (const auto* targets = std::get_if<ClassTargets>(&own_)) {
    return longest_class_scale(*targets, by_classes(a));
  }
  return kernmix::longest_scale(std::get<DualSet>(own_), a);
}

TaskLossPoint TaskLoss::at(ConstSpan z, ConstSpan a) const {
  if (const auto* targets = std::get_if<ClassTargets>(&own_)) {
    ClassLoss point = class_loss_at(*targets, by_classes(z), by_classes(a));
    return {point.value, point.gap, point.value, std::move(point.bias)};
  }
  const LossPoint point = loss_at(problem_.loss, problem_.bias, task_.y, z, a, task_.C);
  return {point.value, point.gap, point.size, {point.bias}};
}

double TaskLoss::excess(const TaskLossPoint& point, ConstSpan z, ConstSpan error) const {
  if (const auto* targets = std::get_if<ClassTargets>(&own_)) {
    const ClassLoss own{point.value, point.gap, point.bias};
    return class_loss_excess(*targets, own, by_classes(z), by_classes(error));
  }
  const LossPoint own{point.value, point.gap, point.bias.front(), point.size};
  return loss_excess(problem_.loss, problem_.bias, task_.y, task_.C, own, z, error);
}

}  // namespace kernmix
