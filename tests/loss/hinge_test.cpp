#include "kernmix/loss/hinge.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernmix/loss/feasible.hpp"
#include "kernmix/loss/loss.hpp"

namespace kernmix {
namespace {

double number(double low, double high) {
  return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 100001)) / 100000.0;
}

RC_GTEST_PROP(Hinge, FenchelYoungIsTheSumOfItsPartsAndNotNegative, ()) {
  const Hinge hinge;
  const double y = *rc::gen::element(-1.0, 1.0);
  const double C = number(0.01, 100.0);
  const double a = y * number(0.0, C);
  const double z = number(-5.0, 5.0);
  const double direct = hinge.value(y, z, C) - hinge.dual_value(y, a, C) + a * z;
  RC_ASSERT(hinge.fenchel_young(y, z, a, C) >= 0.0);
  RC_ASSERT(std::abs(hinge.fenchel_young(y, z, a, C) - direct) <= 1e-12 * (1.0 + C * 6.0));
}

RC_GTEST_PROP(Hinge, BestBiasBeatsEveryOther, ()) {
  const Hinge hinge;
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 30));
  Vector y(n);
  Vector z(n);
  Vector C(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = i == 0 ? 1.0 : i == 1 ? -1.0 : *rc::gen::element(-1.0, 1.0);
    z[i] = number(-3.0, 3.0);
    C[i] = number(0.1, 5.0);
  }
  const auto total = [&](double b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) sum += hinge.value(y[i], z[i] + b, C[i]);
    return sum;
  };
  const double best = total(hinge.best_bias(y, z, C));
  for (std::size_t i = 0; i < n; ++i) RC_ASSERT(best <= total(y[i] - z[i]) + 1e-9);
}

TEST(Hinge, BestBiasIsTheMidpointOfAnInterval) {
  const Hinge hinge;
  const Vector y = {1.0, -1.0};
  const Vector z = {2.0, -3.0};  // any b in [-1, 2] is optimal
  EXPECT_DOUBLE_EQ(hinge.best_bias(y, z, Vector{1.0, 1.0}), 0.5);
}

TEST(Hinge, BestBiasOfOneClass) {
  const Hinge hinge;
  const Vector z = {0.0, 0.0};
  const double b = hinge.best_bias(Vector{1.0, 1.0}, z, Vector{1.0, 1.0});
  EXPECT_GE(b, 1.0);
}

RC_GTEST_PROP(DualSet, MakeFeasibleIsFeasibleAndKeepsFeasiblePoints, ()) {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(2, 30));
  Vector y(n);
  Vector C(n);
  Vector a(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = *rc::gen::element(-1.0, 1.0);
    C[i] = number(0.1, 5.0);
    a[i] = number(-8.0, 8.0);
  }
  const DualSet box = dual_set(Hinge{}, Bias::free, y, C);
  make_feasible(box, a);
  double sum = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(a[i] >= box.lower[i] && a[i] <= box.upper[i]);
    sum += a[i];
  }
  RC_ASSERT(std::abs(sum) <= 1e-12 * static_cast<double>(n) * 5.0);
}

}  // namespace
}  // namespace kernmix
