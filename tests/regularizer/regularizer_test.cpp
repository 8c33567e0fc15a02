// One set of properties for every regularizer: a new one is tested by being registered.

#include "kernmix/regularizer/regularizer.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "kernmix/error.hpp"
#include "kernmix/regularizer/norms.hpp"

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
  std::vector<Regularizer> all = {
      L1{},    Lp{1.01}, Lp{1.1},   Lp{4.0 / 3.0}, Lp{2.0},
      Lp{4.0}, Lp{50.0}, Average{}, Sum{},         Fixed{ones_and_twos(M)}};
  for (const char* text : {"mixed-norm:q=1.2", "mixed-norm:q=1.9", "mixed-norm:q=2",
                           "mixed-norm:q=2.5", "mixed-norm:q=inf", "ckl:p=0.5,q=0.5", "ckl:p=1,q=0",
                           "ckl:p=0,q=1", "ckl:p=0.4,q=0.2", "ckl:p=0.1,q=0.8"}) {
    all.push_back(with_groups(parse_regularizer(text), some_groups(M)));
  }
  return all;
}

/// A point of D that tells the regularizers apart: their best weights for random norms, or D
/// itself.
template <typename R>
Vector point_of_D(const R& regularizer, Index M) {
  Vector d = regularizer.initial_weights(M);
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
    std::visit([&](const auto& r) { check(r); }, regularizer);
  }
}

RC_GTEST_PROP(Regularizer, SupportIsAnUpperBoundOverD, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector q = numbers(static_cast<std::size_t>(M), 0.0, 10.0);
  for_all_regularizers(M, [&]<typename R>(const R& r) {
    if constexpr (!HasSaddleWeights<R>) {
      const Vector d = point_of_D(r, M);
      RC_ASSERT(r.support(q) >= 0.5 * inner(d, q) - r.penalty(d) - 1e-12 * r.support(q));
    }
  });
}

RC_GTEST_PROP(Regularizer, BlockNormIsALowerBoundOverDAndAttained, ()) {
  const Index M = *rc::gen::inRange<Index>(1, 12);
  const Vector s = numbers(static_cast<std::size_t>(M), 0.0, 3.0);
  for_all_regularizers(M, [&]<typename R>(const R& r) {
    if constexpr (HasSaddleWeights<R>) return;
    const double omega = r.block_norm(s);
    const Vector d = point_of_D(r, M);
    RC_ASSERT(omega <= weighted(s, d) + r.penalty(d) + 1e-12 * omega);
    if constexpr (HasBestWeights<R>) {
      Vector best(d.size());
      r.best_weights(s, best);
      RC_ASSERT(std::abs(weighted(s, best) + r.penalty(best) - omega) <= 1e-10 * omega);
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
    const double bound = r.block_norm(s) + r.support(q);
    RC_ASSERT(inner(s, u) <= bound + 1e-12 * bound);
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
      const Vector x = r.minimize_model(model);
      Vector projected = x;
      if constexpr (HasProjection<R>) r.project(projected);
      double slope = 0.0;
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

TEST(Regularizer, LpTendsToItsEnds) {
  const Vector q = {1.0, 4.0, 2.0};
  EXPECT_NEAR(Lp{1.00001}.support(q), L1{}.support(q), 1e-6);
  EXPECT_NEAR(Lp{1e6}.support(q), Sum{}.support(q), 1e-4);
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
  expect_refusal("fixed:-1,2", "fixed: weights must be >= 0 and finite, got -1");
  expect_refusal("fixed:0,0", "fixed: at least one weight must be > 0");
  expect_refusal("mixed-norm:q=0.5", "mixed-norm: q must be >= 1, got 0.5");
  expect_refusal("ckl:p=-1,q=0.5", "ckl: p and q must be >= 0, got -1 and 0.5");
  expect_refusal("ckl:p=1,q=1",
                 "ckl: p + q must be <= 1, got 1 + 1: beyond 1 the problem is not convex and no "
                 "solution of it could be certified");
  std::string known;
  for (const RegularizerInfo& row : regularizers()) known += ", " + row.syntax;
  expect_refusal("l3", "unknown regularizer 'l3', known are " + known.substr(2));
  EXPECT_THROW(Fixed{Vector(2, 1.0)}.check(3), ParameterError);
}

TEST(Norms, ArePlainSumsWithoutOverflow) {
  EXPECT_DOUBLE_EQ(power_norm(Vector{3.0, 4.0}, 2.0), 5.0);
  EXPECT_DOUBLE_EQ(power_norm(Vector{3e200, 4e200}, 2.0), 5e200);
  EXPECT_DOUBLE_EQ(power_norm(Vector{0.0, 0.0}, 3.0), 0.0);
}

}  // namespace
}  // namespace kernmix
