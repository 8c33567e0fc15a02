#include "loss/class_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rounding.hpp"
#include "kernmix/error.hpp"
#include "loss/class_balance.hpp"
#include "loss/class_biases.hpp"
#include "loss/crammer_singer.hpp"

namespace kernmix {
namespace {

/// Row i of A, which is in its set but for rounding, moved into it.
void settle_row(MutableSpan a, Index y, double C, Index sample) {
  const auto label = static_cast<std::size_t>(y);
  double sum = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    sum += a[u];
    const double above = u == label ? a[u] - C : a[u];
    if (!(above <= 1e-9 * C) || !std::isfinite(a[u])) {
      throw ParameterError(fmt::format(
          "the dual matrix A leaves its set: row {}, column {} is {}, and must be at most {}",
          sample + 1, u + 1, a[u], u == label ? C : 0.0));
    }
  }
  if (!(std::abs(sum) <= 1e-9 * C * static_cast<double>(a.size()))) {
    throw ParameterError(fmt::format("every row of the dual matrix A must sum to 0, row {} has {}",
                                     sample + 1, sum));
  }
  clip_to_dual(a, y, C);
}

}  // namespace

double class_gain(const ClassTargets& targets, const Matrix& A) {
  double gain = 0.0;
  for (Index i = 0; i < A.rows; ++i) gain += A(i, targets.y[static_cast<std::size_t>(i)]);
  return gain;
}

Matrix feasible_class_dual(const ClassTargets& targets, Matrix A) {
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    settle_row(A.row(i), targets.y[at], targets.C[at], i);
  }
  if (targets.bias == Bias::free) balance_classes(A, targets.y);
  return A;
}

double longest_class_scale(const ClassTargets& targets, const Matrix& A) {
  double longest = 2.0;
  for (Index i = 0; i < A.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double own = A(i, targets.y[at]);
    if (own > 0.0) longest = std::min(longest, targets.C[at] / own);
  }
  return longest;
}

ClassLoss class_loss_at(const ClassTargets& targets, const Matrix& Z, const Matrix& A,
                        ConstSpan start) {
  ClassLoss point;
  point.bias.assign(static_cast<std::size_t>(targets.classes), 0.0);
  if (targets.bias == Bias::free) {
    point.bias = best_class_biases(Z, targets.y, targets.C, start);
  }
  Vector f(point.bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) f[u] = Z.row(i)[u] + point.bias[u];
    point.value += crammer_singer_loss(f, targets.y[at], targets.C[at]);
    point.gap += crammer_singer_gap(f, A.row(i), targets.y[at], targets.C[at]);
  }
  return point;
}

/// Decision values of the other classes are taken at their upper, those of the own class at their
/// lower ends.
double class_loss_excess(const ClassTargets& targets, const ClassLoss& point, const Matrix& Z,
                         const Matrix& error) {
  double excess = 0.0;
  Vector f(point.bias.size());
  Vector worst(point.bias.size());
  for (Index i = 0; i < Z.rows; ++i) {
    const auto at = static_cast<std::size_t>(i);
    for (std::size_t u = 0; u < f.size(); ++u) {
      f[u] = Z.row(i)[u] + point.bias[u];
      // z + b, 1 + f_u, f_u - f_y and this sum are rounded
      const double moved = error.row(i)[u] + 4.0 * unit_roundoff * (std::abs(f[u]) + 1.0);
      worst[u] = f[u] + (static_cast<Index>(u) == targets.y[at] ? -moved : moved);
    }
    excess += crammer_singer_loss(worst, targets.y[at], targets.C[at]) -
              crammer_singer_loss(f, targets.y[at], targets.C[at]);
  }
  return excess + rounding(Z.rows, point.value + excess);
}

}  // namespace kernmix
