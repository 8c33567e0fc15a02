#include "kernmix/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/roots/golden_section.hpp"
#include "kernmix/error.hpp"
#include "problem/separate.hpp"
#include "problem/task_loss.hpp"

namespace kernmix {
namespace {

/// Share of the cancelling terms below which the optimum counts as zero.
constexpr double kOptimumFloor = 1e-4;

/// gamma, or ones if all tasks have the same weight.
Vector task_weights(const Problem& problem, ConstSpan gamma) {
  const auto T = problem.tasks.size();
  if (problem.coupling != Coupling::minimax) return Vector(T, 1.0);
  if (gamma.size() != T) {
    throw ParameterError(
        fmt::format("the task weights gamma must have length {}, got {}", T, gamma.size()));
  }
  double sum = 0.0;
  for (const double weight : gamma) {
    if (!(weight >= 0.0)) {
      throw ParameterError(fmt::format("task weights gamma must be >= 0, got {}", weight));
    }
    sum += weight;
  }
  if (std::abs(sum - 1.0) > 1e-9) {
    throw ParameterError(fmt::format("task weights gamma must sum to 1, got {}", sum));
  }
  Vector weights(gamma.begin(), gamma.end());
  for (double& weight : weights) weight /= sum;
  return weights;
}

/// sum_k weights[k] q[k]
Vector weighted_forms(const TaskSpans& q, const Vector& weights) {
  Vector sum(q.front().size(), 0.0);
  for (std::size_t k = 0; k < q.size(); ++k) {
    for (std::size_t m = 0; m < sum.size(); ++m) sum[m] += weights[k] * q[k][m];
  }
  return sum;
}

double dot_product(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

std::vector<TaskLoss> losses_of(const Problem& problem) {
  std::vector<TaskLoss> losses;
  for (Index k = 0; k < problem.size(); ++k) losses.emplace_back(problem, k);
  return losses;
}

/// The dual objective along t a: sum_k gamma_k gain_k(t a^k) - sigma(t^2 q / 2), concave in t.
class DualRay {
 public:
  DualRay(const Problem& problem, const std::vector<TaskLoss>& losses, const TaskSpans& a,
          const TaskSpans& q, Vector weights)
      : problem_(problem),
        losses_(losses),
        a_(a),
        weights_(std::move(weights)),
        q_(weighted_forms(q, weights_)),
        scaled_q_(q_.size()) {}

  double operator()(double t) {
    double gain = 0.0;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      if (weights_[k] == 0.0) continue;
      scaled_a_.assign(a_[k].begin(), a_[k].end());
      for (double& value : scaled_a_) value *= t;
      gain += weights_[k] * losses_[k].gain(scaled_a_);
    }
    for (std::size_t m = 0; m < q_.size(); ++m) scaled_q_[m] = t * t * q_[m];
    return gain - conjugate(problem_.regularizer, scaled_q_);
  }

  /// The largest t, at most 2, for which all dual vectors are feasible; 1 if scaling is impossible.
  [[nodiscard]] double longest() const {
    double t = 2.0;
    for (std::size_t k = 0; k < a_.size(); ++k) {
      if (weights_[k] != 0.0) t = std::min(t, losses_[k].longest_scale(a_[k]));
    }
    return t;
  }

 private:
  const Problem& problem_;
  const std::vector<TaskLoss>& losses_;
  const TaskSpans& a_;
  Vector weights_;
  Vector q_;
  Vector scaled_a_;
  Vector scaled_q_;
};

/// max_t of the dual objective along t a (docs/explanation/problem.md), by golden section on [0,
/// longest]. With a bounded dual ball it is -infinity beyond some t, which the search avoids.
double best_dual(const Problem& problem, const std::vector<TaskLoss>& losses, const TaskSpans& a,
                 const TaskSpans& q, const Vector& weights) {
  DualRay along(problem, losses, a, q, weights);
  const double here = along(1.0);
  if (!std::ranges::all_of(losses, &TaskLoss::may_scale)) return here;
  const auto value = [&](double t) { return along(t); };
  return std::max(here, largest_on(0.0, along.longest(), 1e-9, value).value);
}

/// Omega of f_m = d_m K_m a, the minimum of 1/2 sum ||f_m||^2 / d_m + Phi over all weights. With
/// kernels of distances, where f_m has no norm, this would not be a bound, and the value for `d` is
/// used.
double block_value(const Problem& problem, ConstSpan d, ConstSpan q) {
  if (on_distances(problem.loss)) return 0.5 * dot_product(d, q) + penalty(problem.regularizer, d);
  Vector norms(q.size());
  for (std::size_t m = 0; m < q.size(); ++m) norms[m] = d[m] * std::sqrt(q[m]);
  return omega(problem.regularizer, norms);
}

}  // namespace

double Bounds::size() const {
  return std::max(
      {std::abs(primal), std::abs(dual), least_size, std::numeric_limits<double>::min()});
}

double Bounds::relative_gap() const { return gap / size(); }

void Bounds::set_gap(double inner) {
  gap = std::max(primal - dual, 0.0);
  inner_gap = std::clamp(inner, 0.0, gap);
  outer_gap = gap - inner_gap;
}

void Bounds::add(const Bounds& other) {
  primal += other.primal;
  dual += other.dual;
  gap += other.gap;
  inner_gap += other.inner_gap;
  outer_gap += other.outer_gap;
  least_size += other.least_size;
  slack += other.slack;
}

void Bounds::raise_dual(double bound) {
  dual = std::max(dual, bound);
  set_gap(inner_gap);
}

Vector mean_diagonals(const KernelBank& bank) {
  constexpr Index most = 256;
  const Index count = std::min(bank.samples(), most);
  Vector means(static_cast<std::size_t>(bank.kernels()), 0.0);
  for (Index m = 0; m < bank.kernels(); ++m) {
    double& mean = means[static_cast<std::size_t>(m)];
    for (Index k = 0; k < count; ++k) {
      const Index i = k * bank.samples() / count;
      double entry = 0.0;
      bank.block(m, {&i, 1}, {&i, 1}, {&entry, 1});
      mean += std::max(entry, 0.0) / static_cast<double>(count);
    }
  }
  return means;
}

double optimum_floor(const Loss& loss, const KernelBank& bank, ConstSpan diagonals, ConstSpan d) {
  if (!learns_threshold(loss)) return 0.0;
  const Vector own = diagonals.empty() ? mean_diagonals(bank) : Vector();
  const ConstSpan means = diagonals.empty() ? ConstSpan(own) : diagonals;
  return 0.5 * kOptimumFloor * std::inner_product(d.begin(), d.end(), means.begin(), 0.0);
}

TaskSpans spans_of(const std::vector<Vector>& vectors) { return {vectors.begin(), vectors.end()}; }

void check_weights(const Problem& problem, ConstSpan d) {
  const Index sets = has_separate_weights(problem) ? problem.size() : 1;
  const Index needed = problem.kernels() * sets;
  if (length(d) != needed) {
    throw ParameterError(
        fmt::format("the kernel weights d must have length {}, got {}", needed, d.size()));
  }
  for (std::size_t m = 0; m < d.size(); ++m) {
    if (d[m] >= 0.0 && std::isfinite(d[m])) continue;
    throw ParameterError(
        fmt::format("kernel weights must be >= 0 and finite, weight {} is {}", m + 1, d[m]));
  }
  // Weights outside D would bound another problem, unless the primal value is Omega of f_m.
  if (problem.coupling != Coupling::minimax && !on_distances(problem.loss)) return;
  for (Index k = 0; k < sets; ++k) check_weights(problem.regularizer, weights_of(problem, d, k));
}

double least_size_of(const Problem& problem, ConstSpan d) {
  const double of_task = optimum_floor(problem.loss, problem.bank, problem.diagonals, d);
  return problem.coupling == Coupling::sum ? of_task * static_cast<double>(problem.size())
                                           : of_task;
}

std::vector<Vector> feasible_duals(const Problem& problem, const std::vector<Vector>& a) {
  if (length(a) != problem.size()) {
    throw ParameterError(
        fmt::format("{} dual vectors are needed, got {}", problem.size(), a.size()));
  }
  std::vector<Vector> feasible;
  for (Index k = 0; k < problem.size(); ++k) {
    feasible.push_back(TaskLoss(problem, k).feasible(a[static_cast<std::size_t>(k)]));
  }
  return feasible;
}

double certify_dual_values(const Problem& problem, const TaskSpans& a, const TaskSpans& q,
                           ConstSpan gamma) {
  if (has_separate_weights(problem)) {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.size(); ++k) {
      sum += certify_dual_values(alone(problem, static_cast<Index>(k)), {a[k]}, {q[k]});
    }
    return sum;
  }
  return best_dual(problem, losses_of(problem), a, q, task_weights(problem, gamma));
}

Certificate certify_values(const Problem& problem, ConstSpan d, const TaskSpans& a,
                           const TaskSpans& z, const TaskSpans& q, ConstSpan gamma) {
  if (has_separate_weights(problem)) {
    return sum_of_tasks(problem, d, [&](const Problem& own, ConstSpan weights, std::size_t k) {
      return certify_values(own, weights, {a[k]}, {z[k]}, {q[k]});
    });
  }
  const Vector weights = task_weights(problem, gamma);
  const std::vector<TaskLoss> losses = losses_of(problem);
  Certificate result;
  double sum = 0.0;
  double inner = 0.0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    LossPoint loss = losses[k].at(z[k], a[k]);
    sum += loss.value;
    inner += weights[k] * loss.gap;
    result.bias.push_back(std::move(loss.bias));
    result.task_primal.push_back(loss.value + 0.5 * dot_product(d, q[k]));
    result.task_gap.push_back(loss.gap);
  }
  result.primal =
      problem.coupling == Coupling::minimax
          ? penalty(problem.regularizer, d) + *std::ranges::max_element(result.task_primal)
          : sum + block_value(problem, d, weighted_forms(q, weights));
  result.dual = best_dual(problem, losses, a, q, weights);
  result.least_size = least_size_of(problem, d);
  result.set_gap(inner);
  return result;
}

CertifiedPoint certify(const Problem& problem, ConstSpan d, const std::vector<Vector>& a,
                       const Context& context, ConstSpan gamma) {
  check_weights(problem, d);
  const std::vector<Vector> feasible = feasible_duals(problem, a);
  if (has_separate_weights(problem)) {
    return points_of_tasks(problem, d, [&](const Problem& own, ConstSpan weights, std::size_t k) {
      return certify(own, weights, {feasible[k]}, context);
    });
  }
  const Matrix panel = panel_of(problem, feasible);
  CertifiedPoint point;
  point.Z = problem.bank.combined(d)->times(panel, context);
  point.Q = all_panel_forms(problem.bank, panel, context);
  point.certificate =
      certify_values(problem, d, spans_of(feasible), spans_of(from_panel(problem, point.Z)),
                     spans_of(task_sums(problem, point.Q)), gamma);
  return point;
}

double certify_dual(const Problem& problem, const std::vector<Vector>& a, const Context& context,
                    ConstSpan gamma) {
  const std::vector<Vector> feasible = feasible_duals(problem, a);
  const Matrix Q = all_panel_forms(problem.bank, panel_of(problem, feasible), context);
  return certify_dual_values(problem, spans_of(feasible), spans_of(task_sums(problem, Q)), gamma);
}

}  // namespace kernmix
