#include "kernmix/shared_certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/golden_section.hpp"
#include "kernmix/error.hpp"
#include "loss/dual_box.hpp"
#include "regularizer/any.hpp"

namespace kernmix {
namespace {

/// gamma, or ones where all tasks count alike.
Vector task_weights(const SharedProblem& problem, ConstSpan gamma) {
  const auto T = problem.tasks.size();
  if (problem.sharing == Sharing::sum) return Vector(T, 1.0);
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

/// Half of the sum of weights[k] times row k of Q, doubled: what sigma takes as its argument.
Vector weighted_forms(const Matrix& Q, const Vector& weights) {
  Vector q(static_cast<std::size_t>(Q.cols), 0.0);
  for (Index k = 0; k < Q.rows; ++k) {
    const double weight = weights[static_cast<std::size_t>(k)];
    for (std::size_t m = 0; m < q.size(); ++m) q[m] += weight * Q.row(k)[m];
  }
  return q;
}

double dot_product(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

double task_gain(const SharedProblem& problem, Index k, ConstSpan a) {
  const SharedTask& task = problem.task(k);
  return dual_gain(problem.loss, problem.bias, task.y, a, task.C);
}

double penalty_of(const SharedProblem& problem, ConstSpan d) {
  return penalty(problem.regularizer, d);
}

/// Weights outside D would bound another problem. Regularizers without a projection have weights of
/// their own.
void require_in_weight_set(const Regularizer& regularizer, ConstSpan d) {
  visit(
      [&]<typename R>(const R& r) {
        if constexpr (HasProjection<R>) {
          Vector projected(d.begin(), d.end());
          r.project(projected);
          for (std::size_t m = 0; m < d.size(); ++m) {
            if (std::abs(projected[m] - d[m]) <= 1e-7) continue;
            throw ParameterError(fmt::format(
                "the kernel weights do not belong to {}: weight {} is {}", r.text(), m + 1, d[m]));
          }
        }
      },
      regularizer);
}

double shared_primal(const SharedProblem& problem, ConstSpan d, const Vector& loss,
                     const SharedCertificate& own, const Matrix& Q) {
  if (problem.sharing == Sharing::minimax) {
    return penalty_of(problem, d) + *std::ranges::max_element(own.task_primal);
  }
  Vector norms = weighted_forms(Q, Vector(problem.tasks.size(), 1.0));
  for (std::size_t m = 0; m < norms.size(); ++m) norms[m] = d[m] * std::sqrt(norms[m]);
  return std::accumulate(loss.begin(), loss.end(), 0.0) + omega(problem.regularizer, norms);
}

}  // namespace

double least_size_of(const SharedProblem& problem, ConstSpan d) {
  const double of_task = optimum_floor(problem.loss, problem.bank, problem.diagonals, d);
  return problem.sharing == Sharing::sum ? of_task * static_cast<double>(problem.size()) : of_task;
}

void check_shared_weights(const SharedProblem& problem, ConstSpan d) {
  if (length(d) != problem.kernels()) {
    throw ParameterError(fmt::format("the kernel weights d must have length {}, got {}",
                                     problem.kernels(), d.size()));
  }
  if (problem.sharing == Sharing::minimax) require_in_weight_set(problem.regularizer, d);
}

std::vector<Vector> feasible_duals(const SharedProblem& problem, const std::vector<Vector>& a) {
  if (length(a) != problem.size()) {
    throw ParameterError(
        fmt::format("{} dual vectors are needed, got {}", problem.size(), a.size()));
  }
  std::vector<Vector> feasible;
  for (Index k = 0; k < problem.size(); ++k) {
    const Vector& own = a[static_cast<std::size_t>(k)];
    const SharedTask& task = problem.task(k);
    if (own.size() != task.y.size()) {
      throw ParameterError(fmt::format("the dual vector of task {} must have length {}, got {}",
                                       k + 1, task.y.size(), own.size()));
    }
    feasible.push_back(feasible_in(dual_set(problem, k), task.C, own));
  }
  return feasible;
}

double certify_shared_dual_values(const SharedProblem& problem, const std::vector<Vector>& a,
                                  ConstSpan gamma, const Matrix& Q) {
  const Vector weights = task_weights(problem, gamma);
  const Vector q = weighted_forms(Q, weights);
  const auto value = [&](double t) {
    double gain = 0.0;
    for (Index k = 0; k < problem.size(); ++k) {
      const double weight = weights[static_cast<std::size_t>(k)];
      if (weight == 0.0) continue;
      Vector scaled(a[static_cast<std::size_t>(k)]);
      for (double& entry : scaled) entry *= t;
      gain += weight * task_gain(problem, k, scaled);
    }
    Vector scaled_q(q);
    for (double& form : scaled_q) form *= t * t;
    return gain - conjugate(problem.regularizer, scaled_q);
  };
  double longest = 2.0;
  for (Index k = 0; k < problem.size(); ++k) {
    const DualSet set = dual_set(problem, k);
    if (!may_scale(set)) return value(1.0);
    if (weights[static_cast<std::size_t>(k)] == 0.0) continue;
    longest = std::min(longest, longest_scale(set, a[static_cast<std::size_t>(k)]));
  }
  return std::max(value(1.0), largest_on(0.0, longest, 1e-7, value).value);
}

SharedCertificate certify_shared_values(const SharedProblem& problem, ConstSpan d,
                                        const std::vector<Vector>& a, ConstSpan gamma,
                                        const Matrix& Z, const Matrix& Q) {
  const Vector weights = task_weights(problem, gamma);
  SharedCertificate result;
  Vector losses;
  double inner = 0.0;
  for (Index k = 0; k < problem.size(); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const SharedTask& task = problem.task(k);
    const LossPoint loss =
        loss_at(problem.loss, problem.bias, task.y, on_rows(task, Z.row(k)), a[at], task.C);
    losses.push_back(loss.value);
    result.bias.push_back(loss.bias);
    result.task_primal.push_back(loss.value + 0.5 * dot_product(d, Q.row(k)));
    result.task_gap.push_back(loss.gap);
    inner += weights[at] * loss.gap;
  }
  result.primal = shared_primal(problem, d, losses, result, Q);
  result.dual = certify_shared_dual_values(problem, a, weights, Q);
  result.least_size = least_size_of(problem, d);
  result.set_gap(inner);
  return result;
}

SharedPoint certify_shared(const SharedProblem& problem, ConstSpan d, const std::vector<Vector>& a,
                           ConstSpan gamma, const Context& context) {
  check_shared_weights(problem, d);
  const std::vector<Vector> feasible = feasible_duals(problem, a);
  const Matrix panel = panel_of(problem, feasible);
  SharedPoint point;
  point.Z = problem.bank.combined(d)->times(panel, context);
  point.Q = all_panel_forms(problem.bank, panel, context);
  point.certificate = certify_shared_values(problem, d, feasible, gamma, point.Z, point.Q);
  return point;
}

double certify_shared_dual(const SharedProblem& problem, const std::vector<Vector>& a,
                           ConstSpan gamma, const Context& context) {
  const std::vector<Vector> feasible = feasible_duals(problem, a);
  const Matrix Q = all_panel_forms(problem.bank, panel_of(problem, feasible), context);
  return certify_shared_dual_values(problem, feasible, gamma, Q);
}

}  // namespace kernmix
