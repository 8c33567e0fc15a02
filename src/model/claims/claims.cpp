#include "model/claims/claims.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "kernmix/solve.hpp"
#include "loss/any.hpp"

namespace kernmix {
namespace {

struct Part {
  const char* name;
  double Bounds::*value;
};
constexpr std::array<Part, 5> claimed_bounds = {{{"the primal", &Bounds::primal},
                                                 {"the dual", &Bounds::dual},
                                                 {"the gap", &Bounds::gap},
                                                 {"the inner gap", &Bounds::inner_gap},
                                                 {"the outer gap", &Bounds::outer_gap}}};

/// sum_i C_i loss(y_i, z_i + b) plus the penalty of the bias; nothing if the loss determines a
/// threshold.
std::optional<double> loss_at_bias(const TaskPoint& task, double bias) {
  const auto value = [&]<typename L>(const L& loss) -> std::optional<double> {
    if constexpr (IsSeparableLoss<L>) {
      double sum = task.rule == Bias::penalised ? 0.5 * bias * bias : 0.0;
      for (std::size_t i = 0; i < task.z.size(); ++i) {
        sum += loss.value(task.y[i], task.z[i] + bias, task.C[i]);
      }
      return sum;
    } else {
      return std::nullopt;
    }
  };
  return visit(value, task.loss);
}

double largest_size(ConstSpan values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  return largest;
}

/// Largest difference of a part of two certificates over right.size().
double difference_of(const Bounds& left, const Bounds& right) {
  double largest = 0.0;
  for (const auto& [name, part] : claimed_bounds) {
    largest = std::max(largest, std::abs(left.*part - right.*part));
  }
  return largest / right.size();
}

}  // namespace

bool agree(double reported, double recomputed, double size) {
  return std::abs(reported - recomputed) <= agreement * std::abs(size);
}

Claim& Claims::at(const std::string& name) {
  const auto found = std::ranges::find(list_, name, &Claim::name);
  if (found != list_.end()) return *found;
  excess_.push_back(0.0);
  Claim& claim = list_.emplace_back();
  claim.name = name;
  return claim;
}

void Claims::compare(const std::string& name, const std::string& what, double reported,
                     double recomputed, double size) {
  Claim& claim = at(name);
  double& worst = excess_[to_size(&claim - list_.data())];
  if (agree(reported, recomputed, size)) return;
  // Infinite for NaN, and for values that must be equal.
  const double ratio = std::abs(reported - recomputed) / std::abs(size);
  const double excess = std::isnan(ratio) ? INFINITY : ratio;
  if (!claim.agrees && !(excess > worst)) return;
  worst = excess;
  claim.agrees = false;
  claim.finding =
      fmt::format("{} is {:.12g} in the model and {:.12g} recomputed", what, reported, recomputed);
  claim.reported = reported;
  claim.recomputed = recomputed;
}

void Claims::require(const std::string& name, bool holds, const std::string& sentence) {
  Claim& claim = at(name);
  if (holds || !claim.agrees) return;
  excess_[to_size(&claim - list_.data())] = INFINITY;
  claim.agrees = false;
  claim.finding = sentence;
}

bool Claims::made(const std::string& name) const {
  return std::ranges::find(list_, name, &Claim::name) != list_.end();
}

bool Claims::holds(const std::string& name) const {
  const auto found = std::ranges::find(list_, name, &Claim::name);
  return found == list_.end() || found->agrees;
}

bool Claims::all_hold() const { return std::ranges::all_of(list_, &Claim::agrees); }

std::string of_task(const Model& model, Index k) {
  return model.single() ? "" : fmt::format(" of task '{}'", model.tasks[to_size(k)].name);
}

void conclude(const Claims& claims, Verification& result) {
  result.same_data = claims.holds("data");
  result.agrees = claims.all_hold();
  if (claims.made("bounds")) result.difference = difference_of(result.reported, result.recomputed);
}

void check_bounds(Claims& claims, const Bounds& reported, const Bounds& recomputed,
                  bool about_a_sample) {
  const double size = recomputed.size();
  for (const auto& [name, part] : claimed_bounds) {
    claims.compare("bounds", name, reported.*part, recomputed.*part, size);
  }
  // The farthest sample from any one is between a half of the diameter and the diameter away.
  constexpr double squares = 4.0;
  if (about_a_sample && reported.least_size <= squares * recomputed.least_size &&
      recomputed.least_size <= squares * reported.least_size) {
    claims.open("bounds");
  } else if (reported.least_size != 0.0) {  // absent in files of older versions
    claims.compare("bounds", "the least size", reported.least_size, recomputed.least_size, size);
  }
  claims.require("bounds", recomputed.in_order(),
                 fmt::format("the lower bound {:.12g} is above the upper bound {:.12g}",
                             recomputed.dual, recomputed.primal));
}

void check_status(Claims& claims, const std::string& status, bool within) {
  const bool converged = status == status_name(Status::converged);
  claims.require("status", converged == within,
                 fmt::format("the status is '{}' where the gap is {} the tolerance", status,
                             within ? "within" : "not within"));
}

void check_bias(Claims& claims, const std::string& whose, double bias, const TaskPoint& task) {
  const std::string what = fmt::format("the bias{}", whose);
  if (task.rule == Bias::none) return claims.compare("bias", what, bias, 0.0, 0.0);
  const double size = std::max(largest_size(task.z) + std::abs(task.best_bias), task.rounding_size);
  if (std::abs(bias - task.best_bias) <= agreement * size) return claims.open("bias");
  const auto own = loss_at_bias(task, bias);
  const auto least = loss_at_bias(task, task.best_bias);
  if (own && *own <= *least + agreement * task.size) return claims.open("bias");
  claims.compare("bias", what, bias, task.best_bias, size);
}

void check_norms(Claims& claims, const std::string& whose, ConstSpan norms, ConstSpan d,
                 ConstSpan q, double size) {
  for (std::size_t m = 0; m < d.size(); ++m) {
    const double norm = d[m] * std::sqrt(q[m]);
    // ||f||^2 / d is a part of the bounds and has their rounding error.
    const bool alike = std::abs(norms[m] * norms[m] - norm * norm) <= agreement * size * d[m];
    claims.compare("weights", fmt::format("the norm of kernel {}{}", m + 1, whose), norms[m], norm,
                   alike ? INFINITY : norm);
  }
}

}  // namespace kernmix
