/// \file
/// The best bias where it is an interval, a ray or known, and the logistic loss at its limits.

#include <gtest/gtest.h>

#include "loss/any.hpp"
#include "losses.hpp"

namespace kernmix::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(BestBias, IsTheMidpointOfAnInterval) {
  const Vector one = {1.0, 1.0};
  // Any b in [-1, 2].
  EXPECT_DOUBLE_EQ(best_bias(Hinge{}, Vector{1.0, -1.0}, Vector{2.0, -3.0}, one), 0.5);
  // The median of two.
  EXPECT_DOUBLE_EQ(best_bias(Pinball{0.5}, Vector{1.0, 4.0}, Vector{0.0, 0.0}, one), 2.5);
  // Everything fits into the tube for b in [2, 3].
  EXPECT_DOUBLE_EQ(best_bias(Epsilon{2.0}, Vector{1.0, 4.0}, Vector{0.0, 0.0}, one), 2.5);
  EXPECT_DOUBLE_EQ(best_bias(SquaredEpsilon{2.0}, Vector{1.0, 4.0}, Vector{0.0, 0.0}, one), 2.5);
}

TEST(BestBias, IsTheWeightedQuantile) {
  const Vector y = {1.0, 2.0, 3.0, 4.0, 5.0};
  const Vector z(5, 0.0);
  EXPECT_DOUBLE_EQ(best_bias(Pinball{0.3}, y, z, Vector(5, 2.0)), 2.0);
  EXPECT_DOUBLE_EQ(best_bias(Pinball{0.9}, y, z, Vector(5, 2.0)), 5.0);
  EXPECT_DOUBLE_EQ(best_bias(Pinball{0.5}, y, z, Vector{1.0, 1.0, 1.0, 1.0, 9.0}), 5.0);
}

TEST(BestBias, IsTheWeightedMean) {
  EXPECT_DOUBLE_EQ(best_bias(Squared{}, Vector{1.0, 4.0}, Vector{0.0, 1.0}, Vector{1.0, 3.0}), 2.5);
}

/// log(n_+ / n_-) where nothing else is known.
TEST(BestBias, IsTheLogOdds) {
  const Vector y = {1.0, -1.0, -1.0, -1.0};
  EXPECT_NEAR(best_bias(Logistic{}, y, Vector(4, 0.0), Vector(4, 2.0)), -std::log(3.0), 1e-14);
  EXPECT_NEAR(best_bias(Logistic{}, y, Vector(4, 7.0), Vector(4, 2.0)), -std::log(3.0) - 7.0,
              1e-13);
}

/// Labels that are all equal cost nothing with a free bias: exactly nothing, or relative gaps
/// would mean nothing.
TEST(BestBias, OfOneClassCostsNothing) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (loss_target(loss) != Target::classes || !takes_cost(loss)) continue;
    if (joins_classes(loss)) continue;
    for (const double label : {1.0, -1.0}) {
      const LossPoint point = loss_at(loss, Bias::free, Vector(3, label), Vector{0.3, -2.0, 5.0},
                                      Vector(3, 0.0), Vector{1.0, 10.0, 1e6});
      EXPECT_EQ(point.value, 0.0) << row.example;
      EXPECT_EQ(point.gap, 0.0) << row.example;
    }
  }
}

TEST(BestBias, OfEqualTargetsCostsNothing) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (loss_target(loss) != Target::numbers) continue;
    const LossPoint point = loss_at(loss, Bias::free, Vector(7, 0.1), Vector(7, 0.0),
                                    Vector(7, 0.0), Vector{1.0, 0.3, 0.7, 1e-3, 1e5, 3.0, 11.0});
    EXPECT_EQ(point.value, 0.0) << row.example;
    EXPECT_EQ(point.gap, 0.0) << row.example;
  }
}

TEST(BestBias, SurvivesWeightsAndValuesOfAnySize) {
  for (const LossInfo& row : losses()) {
    const Loss loss = parse_loss(row.example);
    if (!takes_cost(loss) || joins_classes(loss)) continue;
    for (const double scale : {1e-8, 1.0, 1e8}) {
      Samples samples(loss, Bias::free, 40, 3);
      for (std::size_t i = 0; i < 40; ++i) {
        samples.z[i] *= scale;
        samples.C[i] *= i % 3 == 0 ? 1e6 : 1e-6;
      }
      const auto& [y, z, C, a] = samples;
      const LossPoint best = loss_at(loss, Bias::free, y, z, Vector(40, 0.0), C);
      EXPECT_TRUE(std::isfinite(best.bias[0]));
      Vector moved = z;
      for (const double move : {-1.0, -1e-3, 1e-3, 1.0}) {
        for (std::size_t i = 0; i < 40; ++i) moved[i] = z[i] + best.bias[0] + move * (1.0 + scale);
        const double other = loss_at(loss, Bias::none, y, moved, Vector(40, 0.0), C).value;
        EXPECT_LE(best.value, other * (1.0 + 1e-12)) << row.example << " " << scale;
      }
    }
  }
}

/// C KL(t || p) ~ C (t - p)^2 / (2 p (1 - p)): all digits, however close t and p are.
TEST(Logistic, FenchelYoungHasAllItsDigitsNearEquality) {
  const Logistic loss;
  for (const double margin : {-30.0, -3.0, 0.0, 0.5, 3.0, 30.0}) {
    const double p = 1.0 / (1.0 + std::exp(margin));
    for (const double relative : {1e-4, -1e-6, 1e-8}) {
      const double small = std::min(p, 1.0 / (1.0 + std::exp(-margin)));
      const double t = margin > 0.0 ? p + relative * small : 1.0 - (small + relative * small);
      if (margin <= 0.0 && small < 1e-3) continue;  // 1 - t is not a number that t can express
      const double expected = 0.5 * relative * relative * small * small / (p * (1.0 - p));
      const double term = loss.fenchel_young(1.0, margin, 5.0 * t, 5.0) / 5.0;
      EXPECT_NEAR(term, expected, (1e-3 + std::abs(1e-7 / relative)) * expected)
          << margin << " " << relative;
    }
  }
}

TEST(Logistic, IsFiniteAtEveryLimit) {
  const Logistic loss;
  for (const double y : {1.0, -1.0}) {
    for (const double z : {-1e6, -800.0, -40.0, 0.0, 40.0, 800.0, 1e6}) {
      EXPECT_TRUE(std::isfinite(loss.value(y, z, 1e6)));
      EXPECT_TRUE(std::isfinite(loss.slope(y, z, 1e6).first));
      for (const double t : {0.0, 1e-300, 1e-17, 0.5, 1.0 - 1e-16, 1.0}) {
        const double term = loss.fenchel_young(y, z, y * 1e6 * t, 1e6);
        EXPECT_TRUE(std::isfinite(term) && term >= 0.0) << y << " " << z << " " << t;
        const double direct =
            loss.value(y, z, 1e6) - loss.dual_value(y, y * 1e6 * t, 1e6) + y * 1e6 * t * z;
        EXPECT_NEAR(term, direct, 1e-14 * 1e6 * (1.0 + std::abs(z)));
      }
    }
  }
  EXPECT_EQ(loss.dual_value(1.0, 0.0, 3.0), 0.0);
  EXPECT_EQ(loss.dual_value(1.0, 3.0, 3.0), 0.0);
  EXPECT_EQ(loss.dual_slope(1.0, 0.0, 3.0), infinity);
}

}  // namespace
}  // namespace kernmix::test
