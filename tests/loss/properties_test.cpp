/// \file
/// Inequalities that hold for every loss, every bias rule and any samples, drawn at random.

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "loss/any.hpp"
#include "losses.hpp"

namespace kernmix::test {
namespace {

double number(double low, double high) {
  return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 100001)) / 100000.0;
}

Loss any_loss() { return parse_loss(*rc::gen::elementOf(loss_texts())); }

Bias any_rule(const Loss& loss) { return *rc::gen::elementOf(bias_rules(loss)); }

Samples any_samples(const Loss& loss, Bias rule) {
  return {loss, rule, *rc::gen::inRange<std::size_t>(2, 30), *rc::gen::inRange(1u, 100000u)};
}

/// Of the box, its ends included; up to 5 C beyond zero where it has no end.
double any_dual(const DualBounds& bounds, double C) {
  const double low = std::max(bounds.lower, -5.0 * C);
  const double high = std::min(bounds.upper, 5.0 * C);
  const double share = *rc::gen::inRange(0, 4) == 0 ? number(0.0, 1e-6) : number(0.0, 1.0);
  return std::clamp(
      *rc::gen::arbitrary<bool>() ? low + share * (high - low) : high - share * (high - low), low,
      high);
}

RC_GTEST_PROP(AnyLoss, FenchelYoungIsTheSumOfItsPartsAndNotNegative, ()) {
  visit(
      []<typename L>(const L& loss) {
        if constexpr (IsSeparableLoss<L>) {
          const double y = L::target == Target::classes ? *rc::gen::element(-1.0, 1.0)  //
                                                        : number(-3.0, 3.0);
          const double C = number(0.01, 100.0);
          const double a = any_dual(loss.dual_bounds(y, C), C);
          const double z = number(-5.0, 5.0);
          const double direct = loss.value(y, z, C) - loss.dual_value(y, a, C) + a * z;
          const double size = loss.value(y, z, C) + std::abs(a * z) + std::abs(a * y) + C;
          RC_ASSERT(loss.fenchel_young(y, z, a, C) >= 0.0);
          RC_ASSERT(std::abs(loss.fenchel_young(y, z, a, C) - direct) <= 1e-13 * size);
        }
      },
      any_loss());
}

// value(z + b) >= gain(a) - a'z for any z and any feasible a: weak duality.
RC_GTEST_PROP(AnyLoss, EveryFeasibleDualVectorBoundsEveryPrimalValue, ()) {
  const Loss loss = any_loss();
  const Bias rule = any_rule(loss);
  const Samples samples = any_samples(loss, rule);
  const auto& [y, z, C, a] = samples;
  const LossPoint point = loss_at(loss, rule, y, z, a, C);
  const double gain = dual_gain(loss, rule, y, a, C);
  double product = 0.0;
  double size = std::abs(point.value) + std::abs(gain);
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * z[i];
    size += std::abs(a[i]) * (std::abs(z[i]) + std::abs(point.bias[i % point.bias.size()]));
  }
  RC_ASSERT(point.value >= gain - product - 1e-12 * size);
}

RC_GTEST_PROP(AnyLoss, MakeFeasibleIsFeasibleAndKeepsFeasiblePoints, ()) {
  const Loss loss = any_loss();
  RC_PRE(!joins_classes(loss));  // whose rows have sums as well
  const Bias rule = any_rule(loss);
  const Samples samples = any_samples(loss, rule);
  const DualSet set = dual_set(loss, rule, samples.y, samples.C);
  Vector a(samples.a.size());
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = samples.C[i] * number(-8.0, 8.0);
  make_feasible(set, a);
  Vector sums(set.totals.size(), 0.0);
  double size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    RC_ASSERT(a[i] >= set.lower[i]);
    RC_ASSERT(a[i] <= set.upper[i]);
    if (set.balanced()) sums[static_cast<std::size_t>(set.block[i])] += a[i];
    size += std::abs(a[i]);
  }
  for (std::size_t c = 0; c < sums.size(); ++c) {
    RC_ASSERT(std::abs(sums[c] - set.totals[c]) <= 1e-12 * size);
  }
  Vector again = a;
  make_feasible(set, again);
  for (std::size_t i = 0; i < a.size(); ++i) RC_ASSERT(std::abs(again[i] - a[i]) <= 1e-12 * size);
}

}  // namespace
}  // namespace kernmix::test
