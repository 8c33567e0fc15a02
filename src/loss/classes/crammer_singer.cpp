#include "loss/classes/crammer_singer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/roots/root.hpp"
#include "base/rounding.hpp"
#include "kernmix/error.hpp"
#include "loss/class_balance.hpp"
#include "loss/class_biases.hpp"

namespace kernmix {
namespace {

/// 1 - [u = y] + f_u.
double loss_augmented(ConstSpan f, std::size_t u, std::size_t y) {
  return f[u] + (u == y ? 0.0 : 1.0);
}

double largest_augmented(ConstSpan f, std::size_t y) {
  double largest = f[y];
  for (std::size_t u = 0; u < f.size(); ++u) largest = std::max(largest, loss_augmented(f, u, y));
  return largest;
}

/// Moves row i of A, which is feasible up to rounding, into its set.
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

Matrix by_classes(const ClassTargets& targets, ConstSpan values) {
  Matrix matrix(targets.samples(), targets.classes);
  matrix.values.assign(values.begin(), values.end());
  return matrix;
}

}  // namespace

double crammer_singer_loss(ConstSpan f, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  return C * (largest_augmented(f, label) - f[label]);
}

double crammer_singer_gap(ConstSpan f, ConstSpan a, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  const double largest = largest_augmented(f, label);
  double gap = 0.0;
  for (std::size_t u = 0; u < f.size(); ++u) {
    const double p = u == label ? C - a[u] : -a[u];
    gap += std::max(p, 0.0) * (largest - loss_augmented(f, u, label));
  }
  return gap;
}

void clip_to_dual(MutableSpan a, Index y, double C) {
  const auto label = static_cast<std::size_t>(y);
  double others = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    if (u == label) continue;
    a[u] = std::min(a[u], 0.0);
    others += a[u];
  }
  const double factor = -others > C ? C / -others : 1.0;
  for (double& value : a) value *= factor;
  a[label] = std::min(-others * factor, C);
}

void project_onto_dual(MutableSpan a, Index y, double C, Vector& scratch) {
  // p = C e_y - a on the simplex of sum C: p_u = max(w_u - level, 0).
  const auto label = static_cast<std::size_t>(y);
  scratch.resize(a.size());
  for (std::size_t u = 0; u < a.size(); ++u) scratch[u] = (u == label ? C : 0.0) - a[u];
  for (std::size_t u = 0; u < a.size(); ++u) a[u] = scratch[u];
  std::ranges::sort(scratch, std::greater<>());
  const double level = threshold_of_sum(scratch, C);
  double others = 0.0;
  for (std::size_t u = 0; u < a.size(); ++u) {
    if (u == label) continue;
    a[u] = -std::max(a[u] - level, 0.0);
    others += a[u];
  }
  const double own = a[label] - level;  // C - a_y, or 0 where that is not positive
  a[label] = -others;
  // At the bound the sum may exceed C by rounding.
  if (own > 0.0 && a[label] <= C) return;
  if (others == 0.0) return;
  const double factor = C / -others;
  for (std::size_t u = 0; u < a.size(); ++u) a[u] = u == label ? C : a[u] * factor;
}

ClassTargets::ClassTargets(Bias rule, ConstSpan labels, ConstSpan weights)
    : classes(CrammerSinger::functions(labels)), C(weights.begin(), weights.end()), bias(rule) {
  for (const double label : labels) y.push_back(static_cast<Index>(label));
}

double ClassTargets::gain(ConstSpan a) const {
  double sum = 0.0;
  for (Index i = 0; i < samples(); ++i) sum += a[to_size(i * classes + y[to_size(i)])];
  return sum;
}

Vector ClassTargets::feasible(ConstSpan a) const {
  Matrix A = by_classes(*this, a);
  for (Index i = 0; i < A.rows; ++i) settle_row(A.row(i), y[to_size(i)], C[to_size(i)], i);
  if (bias == Bias::free) balance_classes(A, y);
  return std::move(A.values);
}

LossPoint ClassTargets::at(ConstSpan z, ConstSpan a, ConstSpan start) const {
  const auto K = to_size(classes);
  LossPoint point;
  point.bias.assign(K, 0.0);
  if (bias == Bias::free) point.bias = best_class_biases(by_classes(*this, z), y, C, start);
  Vector f(K);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t u = 0; u < K; ++u) f[u] = z[i * K + u] + point.bias[u];
    point.value += crammer_singer_loss(f, y[i], C[i]);
    point.gap += crammer_singer_gap(f, a.subspan(i * K, K), y[i], C[i]);
  }
  point.size = point.value;  // no term is negative
  return point;
}

/// Decision values of the other classes are taken at their upper, those of the own class at their
/// lower ends.
double ClassTargets::excess(const LossPoint& point, ConstSpan z, ConstSpan error) const {
  const auto K = to_size(classes);
  double excess = 0.0;
  Vector f(K);
  Vector worst(K);
  for (std::size_t i = 0; i < y.size(); ++i) {
    for (std::size_t u = 0; u < K; ++u) {
      f[u] = z[i * K + u] + point.bias[u];
      // z + b, 1 + f_u, f_u - f_y and this sum are rounded
      const double moved = error[i * K + u] + 4.0 * unit_roundoff * (std::abs(f[u]) + 1.0);
      worst[u] = f[u] + (static_cast<Index>(u) == y[i] ? -moved : moved);
    }
    excess += crammer_singer_loss(worst, y[i], C[i]) - crammer_singer_loss(f, y[i], C[i]);
  }
  return excess + rounding(samples(), point.value + excess);
}

Index CrammerSinger::functions(ConstSpan y) {
  const auto most = static_cast<double>(y.size());
  double largest = 0.0;
  for (const double label : y) largest = label < most ? std::max(largest, label) : largest;
  return static_cast<Index>(largest) + 1;
}

void CrammerSinger::check(ConstSpan y) const {
  const Index K = functions(y);
  std::vector<bool> occurs(to_size(K), false);
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(y[i] >= 0.0 && y[i] < static_cast<double>(y.size()) && y[i] == std::floor(y[i]))) {
      throw DataError(
          fmt::format("classes must be whole numbers 0 .. K - 1, sample {} has {}", i + 1, y[i]));
    }
    occurs[static_cast<std::size_t>(y[i])] = true;
  }
  const auto missing = std::ranges::find(occurs, false);
  if (missing != occurs.end()) {
    throw DataError(fmt::format("class {} has no sample: number the classes that occur 0 .. {}",
                                missing - occurs.begin(), std::ranges::count(occurs, true) - 1));
  }
  if (K < 2) throw DataError("at least 2 classes are needed, all samples have the same class");
}

DualSet CrammerSinger::dual_set(Bias rule, ConstSpan y, ConstSpan C) const {
  check(y);
  const auto K = to_size(functions(y));
  DualSet set{Vector(y.size() * K, -std::numeric_limits<double>::infinity()),
              Vector(y.size() * K, 0.0),
              {},
              {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    set.upper[i * K + static_cast<std::size_t>(y[i])] = C[i];
  }
  if (rule != Bias::free) return set;
  for (std::size_t e = 0; e < set.upper.size(); ++e) set.block.push_back(static_cast<Index>(e % K));
  set.totals.assign(K, 0.0);
  return set;
}

}  // namespace kernmix
