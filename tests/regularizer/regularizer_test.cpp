// One set of properties for every regularizer: a new one is tested by being registered.

#include "kernmix/regularizer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernmix/error.hpp"
#include "regularizer/any.hpp"
#include "regularizer/norms.hpp"

namespace kernmix {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double number(double low, double high) {
  return low + (high - low) * static_cast<double>(*rc::gen::inRange(0, 100001)) / 100000.0;
}

Vector numbers(std::size_t count, double low, double high) {
  Vector values(count);
  for (double& value : values) value = number(low, high);
  return values;
}

Vector ones_and_twos(Index M) {
  Vector w(static_cast<std::size_t>(M));
  for (std::size_t m = 0; m < w.size(); ++m) w[m] = m % 2 == 0 ? 1.0 : 0.5;
  return w;
}

/// At most three groups of the M kernels.
std::vector<Index> some_groups(Index M) {
  std::vector<Index> group;
  for (Index m = 0; m < M; ++m) group.push_back(m % std::min<Index>(3, M));
  return group;
}

std::vector<Regularizer> all_regularizers(Index M) {
  const double even = 1.0 / static_cast<double>(M);
  std::vector<Regularizer> all = {L1{},
                                  Lp{1.01},
                                  Lp{1.1},
                                  Lp{4.0 / 3.0},
                                  Lp{2.0},
                                  Lp{4.0},
                                  Lp{50.0},
                                  Average{},
                                  Sum{},
                                  Fixed{ones_and_twos(M)},
                                  L1Unsquared{1.7},
                                  LpTikhonov{1.2, 0.5},
                                  LpTikhonov{2.0, 1.0},
                                  LpTikhonov{4.0, 2.0},
                                  ElasticNet{0.8, 0.5},
                                  ElasticNet{0.3, 2.0},
                                  ElasticNetBach{0.5},
                                  ElasticNetBach{5.0},
                                  Sgmkl{0.1},
                                  Sgmkl{0.9},
                                  SgmklNorm{0.1},
                                  SgmklNorm{0.9},
                                  SoftMargin{even},
                                  SoftMargin{std::max(even, 0.3)},
                                  SoftMargin{2.0},
                                  SoftMargin::of_share(0.4),
                                  SoftMarginSquared{0.05},
                                  SoftMarginSquared{1.0},
                                  SoftMarginSquared{50.0},
                                  SoftMarginPower{0.5, 1.5},
                                  SoftMarginPower{1.0, 3.0},
                                  SoftMarginSquareLoss{0.5},
                                  Entropy{1.0},
                                  Entropy{20.0},
                                  Ufo{0.7, 0.0},
                                  Ufo{0.7, 0.4},
                                  Ufo{3.0, 0.05},
                                  TwoStage{Alignment{}, Fixed{ones_and_twos(M)}}};
  for (const char* text : {"mixed-norm:q=1.2", "mixed-norm:q=1.9", "mixed-norm:q=2",
                           "mixed-norm:q=2.5", "mixed-norm:q=inf", "ckl:p=0.5,q=0.5", "ckl:p=1,q=0",
                           "ckl:p=0,q=1", "ckl:p=0.4,q=0.2", "ckl:p=0.1,q=0.8"}) {
    all.push_back(with_groups(parse_regularizer(text), some_groups(M)));
  }
  return all;
}

/// A point of D that tells the regularizers apart: their best weights for random norms, the
/// projection of a random point, or D itself.
template <typename R>
Vector point_of_D(const R& regularizer, Index M) {
  Vector d = regularizer.initial_weights(M);
  if constexpr (HasProjection<R>) {
    if (*rc::gen::arbitrary<bool>()) {
      d = numbers(d.size(), -0.5, 1.5);
      regularizer.project(d);
      return d;
    }
  }
  if constexpr (HasBestWeights<R>) {
    regularizer.best_weights(numbers(d.size(), 0.0, 3.0), d);
  }
  return d;
}

double weighted(ConstSpan s, ConstSpan d) {
  double sum = 0.0;
  for (std::size_t m = 0; m < s.size(); ++m) {
    if (s[m] == 0.0) continue;
    if (d[m] == 0.0) return kInfinity;
    sum += 0.5 * s[m] * s[m] / d[m];
  }
  return sum;
}

double inner(ConstSpan x, ConstSpan y) {
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

template <typename Check>
void for_all_regularizers(Index M, Check check) {
  for (const Regularizer& regularizer : all_regularizers(M)) {
    visit([&](const auto& r) { check(r); }, regularizer);
  }
}

RC_GTEST_PROP(Regularizer, SupportIsAnUpperBoundOverD, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector q = numbers(static_cast<std::size_t>(M), 0.0, 10.0);
  for_all_regularizers(M, [&]<typename R>(const R& r) {
    if constexpr (!HasSaddleWeights<R>) {
      const Vector d = point_of_D(r, M);
      const double rounding = 1e-12 * (inner(d, q) + r.penalty(d));
      RC_ASSERT(r.conjugate(q) >= 0.5 * inner(d, q) - r.penalty(d) - rounding);
    }
  });
}

RC_GTEST_PROP(Regularizer, BlockNormIsALowerBoundOverDAndAttained, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector s = numbers(static_cast<std::size_t>(M), 0.0, 3.0);
  for_all_regularizers(M, [&]<typename R>(const R& r) {
    if constexpr (HasSaddleWeights<R>) return;
    const double omega = r.omega(s);
    const Vector d = point_of_D(r, M);
    RC_ASSERT(omega <= weighted(s, d) + r.penalty(d) + 1e-12 * omega);
    if constexpr (HasBestWeights<R>) {
      Vector best(d.size());
      r.best_weights(s, best);
      RC_ASSERT(std::abs(weighted(s, best) + r.penalty(best) - omega) <= 1e-10 * omega);
    }
  });
}

RC_GTEST_PROP(Regularizer, MaximizingWeightsAttainTheSupport, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  Vector q = numbers(static_cast<std::size_t>(M), 0.0, 10.0);
  if (*rc::gen::arbitrary<bool>()) q[0] = 0.0;
  for_all_regularizers(M, [&](const auto& r) {
    if constexpr (HasMaximizingWeights<std::decay_t<decltype(r)>>) {
      Vector d(q.size());
      r.maximizing_weights(q, d);
      const double size = inner(d, q) + r.penalty(d);
      RC_ASSERT(std::abs(r.conjugate(q) - 0.5 * inner(d, q) + r.penalty(d)) <= 1e-10 * size);
    }
  });
}

// sigma(q/2)'' against differences of sigma(q/2)' = d/2.
RC_GTEST_PROP(Regularizer, SupportCurvatureIsTheSecondDerivative, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 6);
  const Vector q = numbers(static_cast<std::size_t>(M), 0.5, 10.0);
  const Vector move = numbers(q.size(), -1.0, 1.0);
  for_all_regularizers(M, [&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    if constexpr (HasConjugateCurvature<R>) {
      constexpr double h = 1e-6;
      Vector d(q.size());
      r.maximizing_weights(q, d);
      const ConjugateCurvature curvature = r.conjugate_curvature(q, d);
      const auto weights_at = [&](double t) {
        Vector there = q;
        for (std::size_t m = 0; m < q.size(); ++m) there[m] += t * move[m];
        Vector weights(q.size());
        r.maximizing_weights(there, weights);
        return weights;
      };
      const Vector up = weights_at(h);
      const Vector down = weights_at(-h);
      for (std::size_t m = 0; m < q.size(); ++m) {
        const double product =
            curvature.diagonal[m] * move[m] + curvature.rank_one * d[m] * inner(d, move);
        const double difference = (up[m] - down[m]) / (4.0 * h);
        RC_ASSERT(std::abs(product - difference) <= 1e-5 * (1.0 + std::abs(product)));
      }
    }
  });
}

// gamma Omega(s) + 1/2 ||s - x||^2 is strongly convex: at the minimiser it grows quadratically.
RC_GTEST_PROP(Regularizer, ProxIsTheMinimizer, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const double gamma = std::pow(10.0, number(-2.0, 2.0));
  const Vector x = numbers(static_cast<std::size_t>(M), 0.0, 5.0);
  const Vector move = numbers(x.size(), -1.0, 1.0);
  const double step = std::pow(10.0, number(-4.0, 0.0));
  for_all_regularizers(M, [&](const auto& r) {
    if constexpr (HasNormProx<std::decay_t<decltype(r)>>) {
      const auto value = [&](const Vector& s) {
        double sum = gamma * r.omega(s);
        for (std::size_t m = 0; m < s.size(); ++m) sum += 0.5 * (s[m] - x[m]) * (s[m] - x[m]);
        return sum;
      };
      Vector s(x.size());
      r.prox(gamma, x, s);
      Vector other = s;
      double distance = 0.0;
      for (std::size_t m = 0; m < s.size(); ++m) {
        RC_ASSERT(s[m] >= 0.0);
        other[m] = std::max(s[m] + step * move[m], 0.0);
        distance += (other[m] - s[m]) * (other[m] - s[m]);
      }
      RC_ASSERT(value(other) >= value(s) + 0.5 * distance - 1e-12 * (1.0 + value(s)));
    }
  });
}

RC_GTEST_PROP(Regularizer, ProxSlopeIsTheDerivative, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 8);
  const double gamma = std::pow(10.0, number(-1.0, 1.0));
  const Vector x = numbers(static_cast<std::size_t>(M), 0.5, 5.0);
  const Vector move = numbers(x.size(), -1.0, 1.0);
  for_all_regularizers(M, [&](const auto& r) {
    if constexpr (HasNormProx<std::decay_t<decltype(r)>>) {
      constexpr double h = 1e-6;
      const auto prox_at = [&](double t) {
        Vector there = x;
        for (std::size_t m = 0; m < x.size(); ++m) there[m] += t * move[m];
        Vector s(x.size());
        r.prox(gamma, there, s);
        return s;
      };
      const Vector s = prox_at(0.0);
      const Vector up = prox_at(h);
      const Vector down = prox_at(-h);
      for (std::size_t m = 0; m < s.size(); ++m) {
        if ((up[m] > 0.0) != (down[m] > 0.0)) return;  // at a kink of the map
      }
      const ProxSlope slope = r.prox_slope(gamma, s);
      const double along = slope.factor == 0.0 ? 0.0 : inner(slope.direction, move);
      for (std::size_t m = 0; m < s.size(); ++m) {
        double product = slope.diagonal[m] * move[m];
        if (slope.factor != 0.0) product += slope.factor * slope.direction[m] * along;
        RC_ASSERT(std::abs(product - (up[m] - down[m]) / (2.0 * h)) <= 1e-6);
      }
    }
  });
}

// A convex function that no neighbour improves is at its minimum.
RC_GTEST_PROP(Regularizer, NoNeighbourOfTheBestWeightsIsBetter, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector s = numbers(static_cast<std::size_t>(M), 0.0, 3.0);
  const Vector move = numbers(static_cast<std::size_t>(M), -1.0, 1.0);
  const double length = std::pow(10.0, number(-4.0, 0.0));
  for_all_regularizers(M, [&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    if constexpr (HasBestWeights<R> && HasProjection<R>) {
      Vector d(s.size());
      r.best_weights(s, d);
      for (std::size_t m = 0; m < d.size(); ++m) d[m] += length * move[m];
      r.project(d);
      const double omega = r.omega(s);
      RC_ASSERT(weighted(s, d) + r.penalty(d) >= omega - 1e-12 * omega);
    }
  });
}

/// max_{d in D} d'q/2 - Phi(d) by projected gradients from the centre: a lower bound.
template <typename R>
double ascend(const R& r, const Vector& q) {
  const auto value = [&](const Vector& d) { return 0.5 * inner(d, q) - r.penalty(d); };
  Vector d = r.initial_weights(length(q));
  double step = 1.0;
  double before = std::numeric_limits<double>::lowest();
  for (int k = 0; k < 500; ++k) {
    if (k % 50 == 0) {
      if (value(d) <= before + 1e-8 * std::abs(before)) break;
      before = value(d);
    }
    Vector slope(d.size(), 0.0);
    if constexpr (HasPenaltySlope<R>) r.add_penalty_slope(d, slope);
    Vector x(d.size());
    for (std::size_t m = 0; m < d.size(); ++m) x[m] = d[m] + step * (0.5 * q[m] - slope[m]);
    r.project(x);
    const bool better = value(x) >= value(d);
    if (better) d = x;
    step = better ? std::min(1.3 * step, 1e3) : 0.5 * step;
  }
  return value(d);
}

TEST(Regularizer, SupportIsAttainedInD) {
  for (const Vector& q : {Vector{1.0, 4.0, 2.0, 3.9, 0.0}, Vector{2.0, 2.0, 2.0}, Vector{3.0}}) {
    for_all_regularizers(length(q), [&](const auto& r) {
      using R = std::decay_t<decltype(r)>;
      const double sigma = r.conjugate(q);
      if constexpr (HasProjection<R>) {
        if (std::isinf(sigma)) return;
        EXPECT_NEAR(ascend(r, q), sigma, 1e-5 * std::abs(sigma)) << r.text();
      }
    });
  }
}

RC_GTEST_PROP(Regularizer, PenaltySlopeIsTheDerivative, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 6);
  for_all_regularizers(M, [&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    if constexpr (HasPenaltySlope<R>) {
      Vector d = r.initial_weights(M);
      for (double& weight : d) weight *= number(0.5, 1.5);
      Vector slope(d.size(), 1.0);  // added to, not overwritten
      r.add_penalty_slope(d, slope);
      for (std::size_t m = 0; m < d.size(); ++m) {
        const double h = 1e-5 * d[m];
        Vector up = d;
        Vector down = d;
        up[m] += h;
        down[m] -= h;
        const double difference = (r.penalty(up) - r.penalty(down)) / (2.0 * h);
        RC_ASSERT(std::abs(slope[m] - 1.0 - difference) <= 1e-6 * (1.0 + std::abs(difference)));
      }
    } else {
      RC_ASSERT(r.penalty(r.initial_weights(M)) == 0.0);
    }
  });
}

// Omega and sigma are conjugate in the norms: sum s sqrt(q) <= Omega(s) + sigma(q / 2).
RC_GTEST_PROP(Regularizer, FenchelYoungHoldsBetweenNorms, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector s = numbers(static_cast<std::size_t>(M), 0.0, 3.0);
  const Vector u = numbers(static_cast<std::size_t>(M), 0.0, 3.0);
  Vector q(u);
  for (double& value : q) value *= value;
  for_all_regularizers(M, [&](const auto& r) {
    const double bound = r.omega(s) + r.conjugate(q);
    const double rounding = 1e-12 * (r.omega(s) + std::abs(r.conjugate(q)));
    RC_ASSERT(inner(s, u) <= bound + rounding);
  });
}

RC_GTEST_PROP(Regularizer, ProjectionIsTheNearestPoint, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector z = numbers(static_cast<std::size_t>(M), -2.0, 3.0);
  for_all_regularizers(M, [&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    if constexpr (HasProjection<R>) {
      Vector x = z;
      r.project(x);
      Vector again = x;
      r.project(again);
      for (std::size_t m = 0; m < x.size(); ++m) {
        RC_ASSERT(x[m] >= 0.0);
        RC_ASSERT(std::abs(x[m] - again[m]) <= 1e-9);
      }
      // Variational inequality: (z - x)'(w - x) <= 0 for every w in D.
      for (int trial = 0; trial < 5; ++trial) {
        const Vector w = point_of_D(r, M);
        double product = 0.0;
        for (std::size_t m = 0; m < x.size(); ++m) product += (z[m] - x[m]) * (w[m] - x[m]);
        RC_ASSERT(product <= 1e-7);
      }
    }
  });
}

RC_GTEST_PROP(Regularizer, ModelMinimizerStaysInDAndDescends, ()) {
  const Index M = *rc::gen::inRange<Index>(2, 10);
  const Index f = *rc::gen::inRange<Index>(0, 6);
  for_all_regularizers(M, [&](const auto& r) {
    using R = std::decay_t<decltype(r)>;
    if constexpr (HasModelMinimizer<R>) {
      WeightModel model{r.initial_weights(M), numbers(static_cast<std::size_t>(M), 0.5, 3.0),
                        Matrix(M, f)};
      model.B.values = numbers(model.B.values.size(), -1.0, 1.0);
      const Vector x = r.minimize_quadratic(model);
      Vector projected = x;
      if constexpr (HasProjection<R>) r.project(projected);
      double slope = r.penalty(x) - r.penalty(model.d);
      for (std::size_t m = 0; m < x.size(); ++m) {
        RC_ASSERT(x[m] >= 0.0);
        RC_ASSERT(std::abs(projected[m] - x[m]) <= 1e-9);
        slope -= 0.5 * model.q[m] * (x[m] - model.d[m]);
      }
      RC_ASSERT(slope <= 1e-9);
    }
  });
}

TEST(Regularizer, TextParsesBackToTheSameValue) {
  for (const char* text :
       {"l1", "lp:p=1.1", "lp:p=2", "average", "sum", "fixed:0.2,0.8", "mixed-norm:q=1.25",
        "mixed-norm:q=2", "mixed-norm:q=2.5", "mixed-norm:q=inf", "ckl:p=0.5,q=0.25"}) {
    EXPECT_EQ(regularizer_text(parse_regularizer(text)), text);
  }
  for (const RegularizerInfo& row : regularizers()) {
    EXPECT_EQ(regularizer_text(parse_regularizer(row.example)), row.example);
  }
}

TEST(Regularizer, TheEndsOfLpHaveTheirOwnNames) {
  EXPECT_EQ(regularizer_text(parse_regularizer("lp:p=1")), "l1");
  EXPECT_EQ(regularizer_text(parse_regularizer("lp:p=inf")), "sum");
  EXPECT_EQ(regularizer_text(parse_regularizer("mixed-norm:q=1")), "l1");
  EXPECT_EQ(regularizer_text(parse_regularizer("ckl:p=0,q=0")), "sum");
}

TEST(Regularizer, EveryDoubleSurvivesItsText) {
  for (const double value : {1.0 / 3.0, 0.1, 1e-49, 1.0 + 1e-15, 12345.678901234567}) {
    for (const Regularizer& r :
         {Regularizer{L1Unsquared{value}}, Regularizer{LpTikhonov{2.0 + value, value}},
          Regularizer{ElasticNet{value, 2.0 * value}}, Regularizer{ElasticNetBach{value}},
          Regularizer{SoftMargin{value}}, Regularizer{SoftMarginSquared{value}},
          Regularizer{SoftMarginSquareLoss{value}}}) {
      EXPECT_EQ(regularizer_text(parse_regularizer(regularizer_text(r))), regularizer_text(r));
    }
    const auto read = parse_regularizer(L1Unsquared{value}.text());
    EXPECT_EQ(get_if<L1Unsquared>(read)->lambda, value);
  }
}

TEST(Regularizer, EndsOfTheNewFamiliesHaveTheirOwnNames) {
  EXPECT_EQ(regularizer_text(parse_regularizer("elastic-net:l1=2,l2=0")), "l1-unsquared:lambda=2");
  EXPECT_EQ(regularizer_text(parse_regularizer("elastic-net-bach:lambda=0")), "l1");
  EXPECT_EQ(regularizer_text(parse_regularizer("sgmkl:v=1")), "l1");
  EXPECT_EQ(regularizer_text(parse_regularizer("sgmkl:v=0")), "lp:p=2");
}

void expect_same(const Regularizer& one, const Regularizer& other, double tolerance) {
  const Vector x = {1.0, 4.0, 2.0, 0.0, 3.9};
  const auto values = [&](const auto& r) { return std::pair(r.omega(x), r.conjugate(x)); };
  const auto [omega, sigma] = visit(values, one);
  const auto [other_omega, other_sigma] = visit(values, other);
  EXPECT_NEAR(omega, other_omega, tolerance * other_omega) << regularizer_text(one);
  EXPECT_NEAR(sigma, other_sigma, tolerance * other_sigma) << regularizer_text(one);
}

// Methods section 7, items 2, 3, 5 and 6, for Omega and sigma themselves.
TEST(Regularizer, FamiliesMeetAtTheirEnds) {
  expect_same(Sgmkl{1.0 - 1e-9}, L1{}, 1e-6);
  expect_same(Sgmkl{1e-9}, Lp{2.0}, 1e-6);
  expect_same(SgmklNorm{1.0 - 1e-9}, L1{}, 1e-6);
  expect_same(SgmklNorm{1e-9}, Lp{2.0}, 1e-6);
  expect_same(ElasticNetBach{1e-9}, L1{}, 1e-6);
  expect_same(SoftMargin{1.0}, L1{}, 1e-15);
  expect_same(SoftMargin{7.0}, L1{}, 1e-15);
  expect_same(SoftMargin{0.2}, Average{}, 1e-15);
  expect_same(SoftMargin{0.2 - 1e-14}, Average{}, 1e-13);
  expect_same(SoftMargin::of_share(1.0), Average{}, 1e-15);
  expect_same(SoftMargin::of_share(0.2), L1{}, 1e-15);
  expect_same(SoftMargin::of_share(0.01), L1{}, 1e-15);
  expect_same(SoftMargin::of_share(0.5), SoftMargin{0.4}, 1e-15);
  expect_same(SoftMarginSquared{1e9}, L1{}, 1e-6);
  expect_same(SoftMarginPower{0.7, 2.0}, SoftMarginSquared{0.7}, 1e-12);
  expect_same(SoftMarginSquareLoss{0.7}, LpTikhonov{2.0, 1.0 / 0.7}, 1e-15);
  expect_same(Entropy{1e-8}, L1{}, 1e-6);
  expect_same(Entropy{1e9}, Average{}, 1e-6);
  const ElasticNet nearly{2.0, 1e-9};
  const Vector x = {1.0, 3.9, 0.0};
  EXPECT_NEAR(nearly.omega(x), L1Unsquared{2.0}.omega(x), 1e-6);
  EXPECT_EQ(nearly.conjugate(x), 0.0);
}

TEST(Regularizer, SmallThetaOfTheSquaredSoftMarginIsTheAverage) {
  const double theta = 1e-8;
  const Vector x = {1.0, 4.0, 2.0, 0.0, 3.9};
  const SoftMarginSquared r{theta};
  const double constant = 1.0 / (2.0 * theta * 5.0);
  EXPECT_NEAR(r.omega(x) - constant, Average{}.omega(x), 1e-3);
  EXPECT_NEAR(r.conjugate(x) + constant, Average{}.conjugate(x), 1e-3);
}

// The mass must be placed, and evenly where nothing prefers a kernel.
TEST(Regularizer, KernelsWithoutNormShareWhatIsLeft) {
  Vector d(4);
  SoftMargin{0.3}.best_weights(Vector{5.0, 0.0, 1e-9, 0.0}, d);
  EXPECT_DOUBLE_EQ(d[0], 0.3);
  EXPECT_DOUBLE_EQ(d[1], 0.2);
  EXPECT_DOUBLE_EQ(d[2], 0.3);
  EXPECT_DOUBLE_EQ(d[3], 0.2);
  SoftMargin{0.5}.best_weights(Vector{0.0, 0.0, 0.0, 0.0}, d);
  for (const double weight : d) EXPECT_DOUBLE_EQ(weight, 0.25);
  for (const double theta : {1e-3, 0.1}) {
    SoftMarginSquared{theta}.best_weights(Vector{0.5, 0.0, 0.2, 0.0}, d);
    EXPECT_GT(d[1], 0.0);
    EXPECT_EQ(d[1], d[3]);
    EXPECT_NEAR(std::accumulate(d.begin(), d.end(), 0.0), 1.0, 1e-15);
  }
  for (const Regularizer& regularizer : all_regularizers(4)) {
    visit(
        [&]<typename R>(const R& r) {
          if constexpr (HasBestWeights<R> && !IsGrouped<R>) {
            r.best_weights(Vector(4, 0.0), d);
            for (const double weight : d) EXPECT_EQ(weight, d[0]) << r.text();
            if constexpr (OnSimplex<R>) {
              EXPECT_DOUBLE_EQ(d[0], 0.25);
            }
          }
        },
        regularizer);
  }
}

TEST(Regularizer, TinyAndHugeNormsAreNoTrouble) {
  for (const double scale : {1e-120, 1e-9, 1e9, 1e60}) {
    const Vector s = {scale, 0.3 * scale, 0.0, 1e-12 * scale};
    for (const Regularizer& regularizer : all_regularizers(4)) {
      visit(
          [&]<typename R>(const R& r) {
            if constexpr (HasBestWeights<R>) {
              Vector d(4);
              r.best_weights(s, d);
              const double omega = r.omega(s);
              EXPECT_NEAR(weighted(s, d) + r.penalty(d), omega, 1e-9 * omega) << r.text();
            }
          },
          regularizer);
    }
  }
}

TEST(Regularizer, LpTendsToItsEnds) {
  const Vector q = {1.0, 4.0, 2.0};
  EXPECT_NEAR(Lp{1.00001}.conjugate(q), L1{}.conjugate(q), 1e-6);
  EXPECT_NEAR(Lp{1e6}.conjugate(q), Sum{}.conjugate(q), 1e-4);
}

void expect_refusal(const std::string& text, const std::string& sentence) {
  try {
    static_cast<void>(parse_regularizer(text));
    FAIL() << text << " was accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(std::string(error.what()), sentence);
  }
}

TEST(Regularizer, RefusesWithTheRule) {
  expect_refusal("lp:p=0.5", "lp: p must be >= 1, got 0.5");
  expect_refusal("lp:p=two", "lp: 'two' is not a number");
  expect_refusal("l1:2", "l1: takes no argument, got '2'");
  expect_refusal("fixed:-1,2", "fixed: weights must be 0 or lie in [1e-50, 1e+50], got -1");
  expect_refusal("fixed:0,0", "fixed: at least one weight must be > 0");
  expect_refusal("lp-tikhonov:p=1,lambda=1",
                 "lp-tikhonov: p must be > 1 and finite, got 1; the limits are l1 and sum");
  expect_refusal("lp-tikhonov:p=2,lambda=0",
                 "lp-tikhonov: lambda must lie in [1e-50, 1e+50], got 0");
  expect_refusal("lp-tikhonov:p=2", "lp-tikhonov: give lambda, as in lp-tikhonov:p=1.5,lambda=1");
  expect_refusal("ckl", "ckl: give p and q, as in ckl:p=0.5,q=0.5");
  expect_refusal("elastic-net:l1=0,l2=1", "elastic-net: l1 must lie in [1e-50, 1e+50], got 0");
  expect_refusal("sgmkl:v=1.5", "sgmkl: v must lie in [0, 1], got 1.5");
  expect_refusal("soft-margin:theta=inf", "soft-margin: theta must lie in [1e-50, 1e+50], got inf");
  expect_refusal("soft-margin:nu=1.5", "soft-margin: nu must be >= 1e-50 and <= 1, got 1.5");
  expect_refusal("soft-margin:theta=1,nu=0.5",
                 "soft-margin: give theta or nu, not both: theta is 1/(nu M)");
  expect_refusal("soft-margin-power:theta=1,p=1",
                 "soft-margin-power: p must be > 1 and finite, got 1");
  expect_refusal("mixed-norm:q=0.5", "mixed-norm: q must be >= 1, got 0.5");
  expect_refusal("ckl:p=-1,q=0.5", "ckl: p and q must be >= 0, got -1 and 0.5");
  expect_refusal("ckl:p=1,q=1",
                 "ckl: p + q must be <= 1, got 1 + 1: for larger sums the problem is not convex, "
                 "and a solution could not be certified");
  EXPECT_THROW(Fixed{Vector(2, 1.0)}.check(3), ParameterError);
  EXPECT_THROW(SoftMargin{0.2}.check(4), ParameterError);
  EXPECT_NO_THROW(SoftMargin{0.2}.check(5));
  EXPECT_NO_THROW(SoftMargin{1.0 / 49.0}.check(49));
  EXPECT_NO_THROW(SoftMargin::of_share(1.0).check(4));
}

TEST(Regularizer, TheExampleForMissingNumbersIsAllowed) {
  for (const RegularizerInfo& row : regularizers()) {
    const std::string name = name_of(row.syntax);
    if (name == row.example || name == "fixed") continue;
    try {
      static_cast<void>(parse_regularizer(name));
      FAIL() << name << " was accepted";
    } catch (const ParameterError& error) {
      const std::string sentence = error.what();
      const std::string example = sentence.substr(sentence.find(", as in ") + 8);
      EXPECT_NO_THROW(static_cast<void>(parse_regularizer(example))) << sentence;
    }
  }
}

TEST(Regularizer, AnUnknownNameIsToldTheKnownOnes) {
  try {
    static_cast<void>(parse_regularizer("l3"));
    FAIL() << "l3 was accepted";
  } catch (const ParameterError& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(sentence.rfind("unknown regularizer 'l3', known are l1, ", 0), 0u) << sentence;
    for (const RegularizerInfo& row : regularizers()) {
      EXPECT_NE(sentence.find(row.syntax), std::string::npos) << row.syntax;
    }
  }
}

TEST(Regularizer, TwoStageWeightsMustBeKnownBeforeTheyAreUsed) {
  const TwoStage unknown{Alignment{true}, {}};
  EXPECT_NO_THROW(unknown.check(3));
  EXPECT_THROW(static_cast<void>(unknown.conjugate(Vector(3, 1.0))), ParameterError);
  const Regularizer known = with_chosen_weights(unknown, {1.0, 0.0, 2.0});
  EXPECT_EQ(regularizer_text(known), "alignf");
  EXPECT_THROW(get_if<TwoStage>(known)->check(2), ParameterError);
  EXPECT_DOUBLE_EQ(get_if<TwoStage>(known)->conjugate(Vector{1.0, 5.0, 1.0}), 1.5);
  EXPECT_EQ(regularizer_text(with_chosen_weights(L1{}, {1.0})), "l1");
}

bool belongs(const Regularizer& regularizer, const Vector& d) {
  try {
    check_weights(regularizer, d);
    return true;
  } catch (const ParameterError&) {
    return false;
  }
}

/// D holds t d for every t >= 0: nothing to be recognised but a negative weight.
template <typename R>
constexpr bool is_cone() {
  return HasSaddleWeights<R> || std::same_as<R, L1Unsquared> || std::same_as<R, LpTikhonov> ||
         std::same_as<R, SoftMarginSquareLoss>;
}

RC_GTEST_PROP(Regularizer, WeightsOfDAreToldFromOthers, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  for_all_regularizers(M, [&]<typename R>(const R& r) {
    Vector d = point_of_D(r, M);
    RC_LOG() << r.text() << "\n";
    RC_ASSERT(belongs(r, d));
    Vector far = r.initial_weights(M);
    for (double& weight : far) weight *= 100.0;
    RC_ASSERT(belongs(r, far) == is_cone<R>());
    d.back() = -0.1;
    RC_ASSERT(!belongs(r, d));
    d.back() = kInfinity;
    RC_ASSERT(!belongs(r, d));
  });
}

TEST(Norms, ArePlainSumsWithoutOverflow) {
  EXPECT_DOUBLE_EQ(power_norm(Vector{3.0, 4.0}, 2.0), 5.0);
  EXPECT_DOUBLE_EQ(power_norm(Vector{3e200, 4e200}, 2.0), 5e200);
  EXPECT_DOUBLE_EQ(power_norm(Vector{0.0, 0.0}, 3.0), 0.0);
}

}  // namespace
}  // namespace kernmix
